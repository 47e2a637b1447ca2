import type { OutputNode } from '../tree/node.ts';
import type { Finding, Pattern } from './pattern.ts';
import { has, isDialog, Screen } from './screen.ts';
import { browserMain } from './detectors/browser-main.ts';
import { confirmationDialog, errorAlert } from './detectors/dialogs.ts';
import { fileDialog } from './detectors/file-dialogs.ts';
import { form } from './detectors/form.ts';
import { loginForm } from './detectors/login-form.ts';
import { progressIndicator } from './detectors/progress-indicator.ts';
import { searchInterface } from './detectors/search-interface.ts';
import { settingsPage } from './detectors/settings-page.ts';
import { tableView } from './detectors/table-view.ts';
import { textEditor } from './detectors/text-editor.ts';

/**
 * The patterns of a window, from its distilled tree as it is on screen, with bounds. Structure and roles decide first, words only where they must. What is
 * in doubt is not said.
 */
export function detectPatterns(root: OutputNode, title?: string): readonly Finding[] {
  const whole = new Screen(root, title);
  const browser = browserMain(whole);
  const screen = front(whole);
  const file = fileDialog(screen);
  const editor = file === undefined ? textEditor(screen) : undefined;
  const login = file === undefined ? loginForm(screen) : undefined;
  const settings = file === undefined && login === undefined ? settingsPage(screen) : undefined;
  const isOther = [file, login, settings, editor].some((found) => found !== undefined);
  const found = [
    login,
    file,
    settings,
    file === undefined ? confirmationDialog(screen) : undefined,
    file === undefined ? errorAlert(screen) : undefined,
    file === undefined ? searchInterface(screen, editor !== undefined) : undefined,
    tableView(screen),
    isOther ? undefined : form(screen),
    browser,
    editor,
    progressIndicator(screen),
  ];
  return found.filter((finding) => finding !== undefined);
}

/** What can be used: a dialog drawn in the window blocks the rest of it. */
function front(screen: Screen): Screen {
  const modal = screen.nodes.findLast((node) => node !== screen.root && isDialog(node) && has(node, 'modal'));
  return modal === undefined ? screen : new Screen(modal);
}

export function hasPattern(findings: readonly Finding[], pattern: Pattern): boolean {
  return findings.some((finding) => finding.pattern === pattern);
}
