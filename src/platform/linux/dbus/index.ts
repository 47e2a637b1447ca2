/** The D-Bus client: everything other folders may use. */
/** @public */
export type { BusAddress } from './address.ts';
export { Batch } from './batch.ts';
export { BodyReader } from './marshalling/body-reader.ts';
export { BusError } from './bus-error.ts';
export { CallTemplate } from './marshalling/call-template.ts';
export { BusConnection } from './connection.ts';
/** @public */
export type { CallSettings } from './deadline.ts';
export { within } from './deadline.ts';
/** @public */
export type { Decoder } from './marshalling/decode.ts';
/** @public */
export type { MatchRule } from './marshalling/match-rule.ts';
export type { MethodCallMessage, SignalMessage } from './message.ts';
/** @public */
export type { Call } from './prepared-call.ts';
export type { MethodReply } from './reply-message.ts';
export { type BusValue, Variant } from './marshalling/value.ts';
