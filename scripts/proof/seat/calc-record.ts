import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const START_MS = 60_000;
const PROGRAM = 'soffice';

/**
 * A macro of LibreOffice that opens an empty sheet, whose title then says what happened in it: `clicks N doubles N menus N top N chosen LEFT,TOP,RIGHT,BOTTOM
 * text [TEXT]`. `top`: the first row that shows; `chosen`: columns and rows that are selected; `text`: of all cells. While a menu is open, only the menu sets the title.
 */
const MACRO = `Global clicks As Long
Global doubles As Long
Global menus As Long
Global watcher As Object
Global asked As Object
Global view As Object
Global sheet As Object

Sub Main
  Dim empty()
  document = StarDesktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, empty())
  view = document.CurrentController
  sheet = document.Sheets.getByIndex(0)
  watcher = CreateUnoListener("Click_", "com.sun.star.awt.XEnhancedMouseClickHandler")
  view.addEnhancedMouseClickHandler(watcher)
  asked = CreateUnoListener("Menu_", "com.sun.star.ui.XContextMenuInterceptor")
  view.registerContextMenuInterceptor(asked)
  view.Frame.ContainerWindow.IsMaximized = False
  view.Frame.ContainerWindow.setPosSize(40, 60, 1000, 650, 15)
  Do
    Wait 50
    Tell
  Loop
End Sub

Sub Tell
  chosen = view.Model.CurrentSelection
  If chosen.supportsService("com.sun.star.sheet.SheetCellRange") Then
    at = chosen.RangeAddress
    place = at.StartColumn & "," & at.StartRow & "," & at.EndColumn & "," & at.EndRow
  Else
    place = "-1,-1,-1,-1"
  End If
  content = ""
  cells = sheet.getCellRangeByPosition(0, 0, 15, 60).getDataArray()
  For r = 0 To 60
    For c = 0 To 15
      content = content & cells(r)(c)
    Next
  Next
  view.Frame.Title = "clicks " & clicks & " doubles " & doubles & " menus " & menus & " top " & view.FirstVisibleRow & " chosen " & place & " text [" & content & "]"
End Sub

Function Click_mousePressed(event) As Boolean
  If event.Buttons = 1 And event.ClickCount = 1 Then clicks = clicks + 1
  If event.Buttons = 1 And event.ClickCount = 2 Then doubles = doubles + 1
  Click_mousePressed = True
End Function

Function Click_mouseReleased(event) As Boolean
  Click_mouseReleased = True
End Function

Sub Click_disposing(event)
End Sub

Function Menu_notifyContextMenuExecute(event) As Variant
  menus = menus + 1
  Tell
  Menu_notifyContextMenuExecute = com.sun.star.ui.ContextMenuInterceptorAction.IGNORED
End Function
`;

const LIBRARY = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false">
 <library:element library:name="Record"/>
</library:library>`;

const MODULE = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Record" script:language="StarBasic">${MACRO.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</script:module>`;

/** Makes a profile with the macro in it. Resolves with the command that opens the sheet. */
export async function calcCommand(folder: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const profile = `-env:UserInstallation=file://${join(folder, 'office')}`;
  // The first start fills the profile, and would put its own macros in the place of ours.
  await execute(PROGRAM, ['--headless', '--terminate_after_init', '--norestore', profile], {
    env,
    timeout: START_MS,
  });
  const standard = join(folder, 'office', 'user', 'basic', 'Standard');
  await mkdir(standard, { recursive: true });
  await writeFile(join(standard, 'script.xlb'), LIBRARY);
  await writeFile(join(standard, 'Record.xba'), MODULE);
  return [PROGRAM, '--norestore', '--nologo', profile, 'macro:///Standard.Record.Main'];
}
