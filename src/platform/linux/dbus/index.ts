/** The D-Bus client: everything other folders may use. */
export { type BusAddress, parseAddress } from './address.ts';
export { Batch, type BatchOutcome } from './batch.ts';
export { BodyReader } from './body-reader.ts';
export { BusError, LOCAL_ERROR } from './bus-error.ts';
export type { MethodCallHandler } from './call-server.ts';
export { CallTemplate, type CallTemplateOptions } from './call-template.ts';
export { BusConnection, type BusStatistics, type ConnectOptions } from './connection.ts';
export type { CallSettings } from './deadline.ts';
export { compileDecoder, type Decoder, decodeBody, decodeVariant } from './decode.ts';
export { encodeBody } from './encode.ts';
export { formatMatchRule, type MatchRule } from './match-rule.ts';
export type { MethodCallMessage, SignalMessage } from './message.ts';
export type { OwnerListener } from './name-watch.ts';
export type { Call } from './prepared-call.ts';
export { type ConnectFunction, type ReconnectHandler, ReconnectingBus } from './reconnecting-bus.ts';
export type { MethodReply } from './reply-message.ts';
export type { ReplyHandler } from './request.ts';
export { type BusValue, Variant } from './value.ts';
