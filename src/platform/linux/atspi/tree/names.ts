/** Well-known names of the accessibility bus (AT-SPI 2 interface definitions, at-spi2-core `xml/`). */
export const INTERFACE = {
  ACCESSIBLE: 'org.a11y.atspi.Accessible',
  ACTION: 'org.a11y.atspi.Action',
  APPLICATION: 'org.a11y.atspi.Application',
  CACHE: 'org.a11y.atspi.Cache',
  COMPONENT: 'org.a11y.atspi.Component',
  EDITABLE_TEXT: 'org.a11y.atspi.EditableText',
  REGISTRY: 'org.a11y.atspi.Registry',
  SELECTION: 'org.a11y.atspi.Selection',
  TABLE: 'org.a11y.atspi.Table',
  TABLE_CELL: 'org.a11y.atspi.TableCell',
  TEXT: 'org.a11y.atspi.Text',
  VALUE: 'org.a11y.atspi.Value',
  PROPERTIES: 'org.freedesktop.DBus.Properties',
  DBUS: 'org.freedesktop.DBus',
} as const;

export const ROOT_PATH = '/org/a11y/atspi/accessible/root';
export const NULL_PATH = '/org/a11y/atspi/null';
export const CACHE_PATH = '/org/a11y/atspi/cache';
export const REGISTRY_NAME = 'org.a11y.atspi.Registry';
export const REGISTRY_PATH = '/org/a11y/atspi/registry';
export const DBUS_NAME = 'org.freedesktop.DBus';
export const DBUS_PATH = '/org/freedesktop/DBus';
