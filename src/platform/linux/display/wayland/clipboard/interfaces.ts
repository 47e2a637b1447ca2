import type { Interface } from '../wire/interfaces.ts';

export const DATA_CONTROL = {
  name: 'zwlr_data_control_manager_v1',
  version: 1,
  requests: { create_data_source: 'n', get_data_device: 'no', destroy: '' },
  events: {},
} as const satisfies Interface;

export const DATA_DEVICE = {
  name: 'zwlr_data_control_device_v1',
  version: 1,
  requests: { set_selection: 'o', destroy: '' },
  events: { data_offer: 'n', selection: 'o', finished: '' },
} as const satisfies Interface;

export const DATA_SOURCE = {
  name: 'zwlr_data_control_source_v1',
  version: 1,
  requests: { offer: 's', destroy: '' },
  events: { send: 'sh', cancelled: '' },
} as const satisfies Interface;

export const DATA_OFFER = {
  name: 'zwlr_data_control_offer_v1',
  version: 1,
  requests: { receive: 'sh', destroy: '' },
  events: { offer: 's' },
} as const satisfies Interface;
