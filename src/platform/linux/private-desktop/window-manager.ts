import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startService, type ServiceRequest } from './service.ts';

const READY = 'deskterity-window-manager-ready';

/**
 * Starts openbox. It runs the `--startup` command once it manages the display, after setting _NET_SUPPORTING_WM_CHECK, so no polling is needed.
 */
export async function startWindowManager(
  request: ServiceRequest & { readonly configFolder: string },
): Promise<void> {
  const configuration = path.join(request.configFolder, 'openbox.xml');
  writeFileSync(configuration, OPENBOX_CONFIGURATION);
  const args = ['--sm-disable', '--config-file', configuration, '--startup', `echo ${READY}`];
  await startService(request, { args, readyDescriptor: 1 });
}

/** No key bindings, so that every key reaches the application; no menus; the usual mouse actions on window frames. */
const OPENBOX_CONFIGURATION = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><focusLast>yes</focusLast><raiseOnFocus>no</raiseOnFocus></focus>
  <placement><policy>Smart</policy><center>no</center><monitor>Primary</monitor></placement>
  <theme>
    <name>Clearlooks</name>
    <titleLayout>NLIMC</titleLayout>
    <animateIconify>no</animateIconify>
  </theme>
  <desktops><number>2</number><firstdesk>1</firstdesk><popupTime>0</popupTime></desktops>
  <resize><drawContents>yes</drawContents><popupShow>Never</popupShow></resize>
  <keyboard/>
  <mouse>
    <dragThreshold>1</dragThreshold>
    <doubleClickTime>500</doubleClickTime>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Titlebar">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Top Bottom Left Right TLCorner TRCorner BLCorner BRCorner">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Close">
      <mousebind button="Left" action="Click"><action name="Close"/></mousebind>
    </context>
    <context name="Maximize">
      <mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Iconify">
      <mousebind button="Left" action="Click"><action name="Iconify"/></mousebind>
    </context>
  </mouse>
  <menu/>
</openbox_config>
`;
