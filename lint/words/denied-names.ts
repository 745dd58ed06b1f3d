/** A word that no identifier and no file name contains, and what to write instead. */
interface DeniedName {
  readonly pattern: RegExp
  readonly better: string
}

/** Anywhere in a name, as one or several of its words: `keyFingerprint` and `key-mark.ts` both have the words `key-mark`. */
const words = (forms: string, better: string): DeniedName => ({
  pattern: new RegExp(`(?<![a-z\\d])(?:${forms})(?![a-z\\d])`, 'u'),
  better,
})
/** Only as the whole name. */
const whole = (forms: string, better: string): DeniedName => ({
  pattern: new RegExp(`^(?:${forms})$`, 'u'),
  better,
})

export const deniedNames: readonly DeniedName[] = [
  words('anew', 'again'),
  words('meanwhile|beside|whoever|whatever', 'name the thing'),
  words('reckon(?:s|ed|ing)?', 'calculate, count, estimate'),
  words('mend(?:s|ed|ing)?', 'fix'),
  words('(?:let|lets|letting)-go', 'clear, dispose'),
  words('(?:give|gives|given|giving|gave)-up', 'abandon, cancel'),
  words('stands?|standing', 'status'),
  words('told|untold|unsaid', 'notified, reported'),
  words('pretend(?:s|ed|ing)?', 'simulated, mock'),
  words('(?:take|takes|taken|taking|took)-in', 'import, attach'),
  words('hand(?:s|ed|ing)?-(?:over|out|on)', 'toResponse, pass, give'),
  words('by-(?:itself|themselves)', 'automatic'),
  words('alone', 'only'),
  words('heed(?:s|ed|ing)?', 'handle, watch'),
  words('kept', 'saved, cached, stored'),
  words('said|said-by|says', 'reported, message'),
  whole('say', 'msg'),
  whole('in-english', 'renderEnglish'),
  words('bought', 'purchase'),
  words('doors?', 'server, handler, adapter'),
  words('rooms?', 'view'),
  words('(?:[a-z]+-)strip', 'banner'),
  whole('strip', 'banner'),
  words('rails?', 'sidebar'),
  words('judg(?:e|es|ed|ing|ement|ements|ment|ments)', 'verify, verdict'),
  words('(?:fire-)?drills?', 'selfTest, faultInjection'),
  words('courses?', 'JobHandler, PaymentPoll'),
  words('carrie[rsd]+|patience|circumstances', 'PaymentTransport, Timeouts, VerificationInput'),
  words('news|in-turn', 'notificationEvents, serialQueue'),
  words('memory-at-rest|setup-stock', 'idleGc, hpkeContextPool'),
  words('reach', 'remoteAccess'),
  words('areas', 'handlers'),
  words('(?:key|request|body)-mark|mark-of', 'keyFingerprint, requestFingerprint'),
  words('json-of', 'tryParseJson'),
  words('lazy-part', 'lazyComponent'),
  words('want-prose-parser|goes-on-privately', 'preloadMarkdown, restorePrivateModel'),
  words('event-stream-watch|exchange-guard|gathered-bytes', 'SseUsageFilter, RequestTimeout, ByteBuffer'),
  words(
    'open-(?:way|model|ask|plan|look)s?',
    'plaintext: PlaintextModel, ServiceRequest, RequestPlan, FreeLookup',
  ),
  // A participle names a state and no thing.
  whole('held|taken|given|made|own', 'name the thing'),
  whole('findings|deadline|words', 'VerificationResult, RequestTimeout, labels or format'),
  // `open` is for files, dialogs and addresses. What constructs is `createX`.
  {
    pattern:
      /^open-(?!(?:ai|router|source|files?|dialogs?|database|db|link|links|browser|window|windows|url|menu|page|pages|tab|external|path|settings|folder)(?![a-z\d]))[a-z]/u,
    better: 'createX, or plaintextX',
  },
]

/** The words of a name, in lower case with hyphens between: `keyFingerprint`, `KEY_MARK` and `key-mark` are `key-mark`. */
export function splitName(name: string): string {
  return name
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_$.]/gu, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '')
    .replaceAll('Open-AI', 'OpenAi')
    .toLowerCase()
}
