import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import type { PointContent } from '../../../src/ports/desktop/elements.ts';
import { CALL, Stage } from '../long-lived/stage.ts';
import { until } from '../../until.ts';

/** A list and a text, both in windows with the type of a tooltip, as the locator of Qt Creator and what is shown beside the pointer. */
const PROGRAM = `
from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QLabel, QTreeWidget, QTreeWidgetItem
app = QApplication(["lists"])
main = QLabel("Main")
main.setWindowTitle("Main")
main.setGeometry(600, 400, 200, 100)
main.show()
tree = QTreeWidget()
tree.setWindowFlags(Qt.ToolTip)
tree.setColumnCount(2)
for name in ("First", "Second", "Third"):
    tree.addTopLevelItem(QTreeWidgetItem([name, "of them"]))
tree.setGeometry(50, 100, 300, 200)
tree.show()
text = QLabel("A hint")
text.setWindowFlags(Qt.ToolTip)
text.setGeometry(50, 400, 100, 40)
text.show()
app.exec()
`;

let stage: Stage;
let program: ChildProcess;
beforeAll(async () => {
  stage = await Stage.open();
  program = spawn('/usr/bin/python3', ['-c', PROGRAM], {
    env: { ...stage.place.environment },
    stdio: 'ignore',
  });
}, 30_000);
afterAll(async () => {
  program.kill();
  await stage.close();
});

function all(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(all)];
}

it('what is in a list that Qt shows as a tooltip is found where it is, and nothing in a tooltip with a text', async () => {
  const { root } = await stage.window(program.pid ?? 0);
  const look = (x: number, y: number): Promise<PointContent> =>
    stage.desktop.contentAt({ x, y }, { ...CALL, app: root.app });
  let second: TreeNode | undefined;
  await until(async () => {
    const { root: tree } = await stage.read(root);
    second = all(tree).find(({ name, bounds }) => name === 'Second' && bounds !== undefined);
    return second !== undefined;
  }, 'the list');
  const { bounds } = second ?? {};
  if (bounds === undefined) throw new Error('the item is nowhere');
  const content = await look(bounds.x + 10, bounds.y + 5);
  expect(content).toMatchObject({ isPopup: true, isTooltip: true, pid: program.pid });
  // Qt makes the cells of a tree anew for each request.
  const [innermost] = content.lineage;
  if (innermost === undefined) throw new Error('nothing is there');
  expect(await stage.desktop.describe(innermost, CALL)).toMatchObject({ name: 'Second', bounds });
  await until(async () => (await look(80, 420)).isTooltip === true, 'the text');
  expect((await look(80, 420)).lineage).toEqual([]);
});
