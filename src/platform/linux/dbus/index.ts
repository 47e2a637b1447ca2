/** The D-Bus client: everything other folders may use. */
export { Batch } from './batch.ts';
export { BodyReader } from './marshalling/body-reader.ts';
export { BusError } from './bus-error.ts';
export { CallTemplate } from './marshalling/call-template.ts';
export { BusConnection } from './connection.ts';
export type { ReceivingSockets } from './dial.ts';
export { within } from './deadline.ts';
export { watchName } from './name-watch.ts';
export type { MethodCallMessage, SignalMessage } from './message.ts';
export type { MethodReply } from './call-server.ts';
export { type BusValue, Variant } from './marshalling/value.ts';
export type { Call } from './prepared-call.ts';
