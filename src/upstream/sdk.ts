/** The only file of this room that imports the protocol library, so that it can be replaced. */
export {
  auth,
  Client,
  OAuthError,
  deserializeMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  SSEClientTransport,
  serializeMessage,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
export type {
  AuthProvider,
  FetchLike,
  JSONRPCMessage,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  Progress,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  Transport,
} from '@modelcontextprotocol/client';
