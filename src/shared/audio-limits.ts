/** mp3, mp4, mpeg, mpga, m4a, wav, webm (specification, Audio), as ./sniff-media.ts names them. */
export const HEARD_TYPES: ReadonlySet<string> = new Set([
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'video/mp4',
  'video/webm',
])
/** Those of them that can be cut into pieces of the same form. */
export const CUT_TYPES: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/wav'])
/** The most that the service takes at once (specification, Limits), with room for the form. */
export const MAX_HEARD_BYTES = 25_000_000
