/** A word that no identifier and no file name contains, and what to write instead. */
interface DeniedName {
  readonly pattern: RegExp
  readonly better: string
}

/** Anywhere in a name, as one or several of its words: `keyFingerprint` and `key-mark.ts` both have the words `key-mark`. */
const denyWords = (forms: string, better: string): DeniedName => ({
  pattern: new RegExp(`(?<![a-z\\d])(?:${forms})(?![a-z\\d])`, 'u'),
  better,
})
/** Only as the whole name. */
const whole = (forms: string, better: string): DeniedName => ({
  pattern: new RegExp(`^(?:${forms})$`, 'u'),
  better,
})

export const deniedNames: readonly DeniedName[] = [
  denyWords('anew', 'again'),
  denyWords('meanwhile|beside|whoever|whatever', 'name the thing'),
  denyWords('reckon(?:s|ed|ing)?', 'calculate, count, estimate'),
  denyWords('mend(?:s|ed|ing)?', 'fix'),
  denyWords('(?:let|lets|letting)-go', 'clear, dispose'),
  denyWords('(?:give|gives|given|giving|gave)-up', 'abandon, cancel'),
  denyWords('stands?|standing', 'status'),
  denyWords('told|untold|unsaid', 'notified, reported'),
  denyWords('pretend(?:s|ed|ing)?', 'simulated, mock'),
  denyWords('(?:take|takes|taken|taking|took)-in', 'import, attach'),
  denyWords('hand(?:s|ed|ing)?-(?:over|out|on)', 'toResponse, pass, give'),
  denyWords('by-(?:itself|themselves)', 'automatic'),
  denyWords('alone', 'only'),
  denyWords('heed(?:s|ed|ing)?', 'handle, watch'),
  denyWords('kept', 'saved, cached, stored'),
  denyWords('said|said-by|says', 'reported, message'),
  whole('say', 'msg'),
  whole('in-english', 'renderEnglish'),
  denyWords('bought', 'purchase'),
  denyWords('doors?', 'server, handler, adapter'),
  denyWords('rooms?', 'view'),
  denyWords('(?:[a-z]+-)strip', 'banner'),
  whole('strip', 'banner'),
  denyWords('rails?', 'sidebar'),
  denyWords('judg(?:e|es|ed|ing|ement|ements|ment|ments)', 'verify, verdict'),
  denyWords('(?:fire-)?drills?', 'selfTest, faultInjection'),
  denyWords('courses?', 'JobHandler, PaymentPoll'),
  denyWords('carrie[rsd]+|patience|circumstances', 'PaymentTransport, Timeouts, VerificationInput'),
  denyWords('news|in-turn', 'notificationEvents, serialQueue'),
  denyWords('memory-at-rest|setup-stock', 'idleGc, hpkeContextPool'),
  denyWords('reach', 'remoteAccess'),
  denyWords('areas', 'handlers'),
  denyWords('(?:key|request|body)-mark|mark-of', 'keyFingerprint, requestFingerprint'),
  denyWords('json-of', 'tryParseJson'),
  denyWords('lazy-part', 'lazyComponent'),
  denyWords('want-prose-parser|goes-on-privately', 'preloadMarkdown, restorePrivateModel'),
  denyWords('event-stream-watch|exchange-guard|gathered-bytes', 'SseUsageFilter, RequestTimeout, ByteBuffer'),
  denyWords(
    'open-(?:way|model|ask|plan|look)s?',
    'plaintext: PlaintextModel, ServiceRequest, RequestPlan, FreeLookup',
  ),
  // A participle names a state and no thing.
  whole('held|taken|given|made|own', 'name the thing'),
  whole('findings|deadline|words', 'VerificationResult, RequestTimeout, labels or format'),
  // `open` is for files, dialogs and addresses. What constructs is `createX`.
  {
    pattern:
      /^open-(?!(?:ai|router|source|files?|dialogs?|database|db|link|links|browser|window|windows|url|menu|page|in|sotto|webui|sync|pages|tab|external|path|settings|folder)(?![a-z\d]))[a-z]/u,
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
