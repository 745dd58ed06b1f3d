/** Where the window's server takes over a connection for streams. */
export const STREAMS_PATH = '/streams'

/** The WebSocket's subprotocol. The token of the window follows it as another one. */
export const STREAMS_PROTOCOL = 'sotto'

/** The code with which the server closes the WebSocket of a window without a valid session (RFC 6455, section 7.4.2). */
export const SESSION_ENDED = 4401

/**
 * The procedures of the contract that answer with a stream, as their paths. A browser opens at most six connections to
 * a host, for all its tabs together, and a stream over HTTP would use one of them for as long as it runs. All streams
 * of a tab therefore share one WebSocket.
 */
export const streamProcedures: ReadonlySet<string> = new Set([
  'chat/follow',
  'chat/regenerate',
  'chat/resume',
  'chat/send',
  'chat/summarize',
  'conversations/watch',
  'diagnostics/watchLog',
  'history/export',
  'history/summary',
  'library/backup',
  'library/export',
  'localApi/watch',
  'privacy/selfTest',
  'projects/export',
  'purchases/watch',
  'studio/watch',
  'tools/keyCalls',
  'tools/signIn',
  'topups/watch',
])
