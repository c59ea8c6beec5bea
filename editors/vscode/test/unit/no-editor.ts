/** Stands where `vscode` is imported by modules of which only the pure parts are tested. */
export const workspace = {};
