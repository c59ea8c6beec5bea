// A window of the VS Code under test, in a headless Chromium that reaches nothing else.
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];

/** Open a window on `folder`; `payload` goes to the workbench. Returns browser and page. */
export async function open(base, folder, { payload = [], locale = 'en' } = {}) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const context = await browser.newContext({ viewport: { width: 1100, height: 700 }, locale });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.route('**/*', route => {
    const here = route.request().url();
    return here.startsWith(base) || /^(data|blob):/.test(here) ? route.continue() : route.abort();
  });
  const query = new URLSearchParams({ folder });
  if (payload.length) {
    query.set('payload', JSON.stringify(payload));
  }
  return { browser, page, show: () => page.goto(`${base}/?${query}`) };
}
