/** A word or turn of phrase that no text uses, and what to write instead. */
export interface Denied {
  readonly pattern: RegExp
  readonly better: string
}

const WORD_START = String.raw`(?<![-\p{L}])`
const word = (forms: string, better: string): Denied => ({
  pattern: new RegExp(`${WORD_START}(?:${forms})(?![-\\p{L}])`, 'iu'),
  better,
})

const IZE_STEMS =
  'anonym|apolog|author|capital|categor|central|character|custom|emphas|final|general|initial|item|local|maxim|memor|minim|neutral|normal|optim|organ|personal|priorit|random|real|recogn|sanit|serial|special|stabil|standard|summar|synchron|token|util|visual'

/** In every text. A form with another, plain meaning is left out by what follows it. */
export const deniedEverywhere: readonly Denied[] = [
  word('anew', 'again'),
  word('meanwhile', 'name the time: “while …”'),
  word('who(?:so)?ever', '“anyone who …”, or name who'),
  word('reckon(?:s|ed|ings?)?', 'calculate, count, estimate'),
  word('mend(?:s|ed|ing)?', 'fix'),
  word('(?:let|lets|letting) go', 'clear, release, discard'),
  word('(?:give|gives|given|giving|gave) up', 'abandon, stop, cancel'),
  word('stands?(?! (?:for|out|by)(?![-\\p{L}]))', 'is'),
  word('beside', 'next to, in addition to'),
  word('but for', 'except'),
  word('nobody but', 'only'),
  word('told', 'tell in the active voice, or: notified, shown'),
  word('untold|unsaid', 'unknown, not reported'),
  word('pretend(?:s|ed|ing)?', 'simulated'),
  word('(?:take|takes|taken|taking|took) in', 'import, attach, add'),
  word('hand(?:s|ed|ing)? (?:over|out)', 'give, pass, upload'),
  word('(?:throw|throws|thrown|throwing|threw) away', 'discard, delete'),
  word('by (?:itself|themselves)', 'automatically'),
  word('alone', 'only'),
  word('as a rule', 'usually'),
  word('under way|underway', 'in progress'),
  word('enlarge(?:s|d|ment)?', 'upscale'),
  word('fire[- ]drills?|drills?', 'self-test'),
  word('topups?', 'top-up'),
  // Software reports, shows or states; it doesn't speak.
  word('said', 'reported, shown, stated'),
  word('says', 'reports, shows, states'),
  word(
    '(?:is|are|was|were|be|been|being|gets?) kept(?! (?:up|apart|open|closed|secret|current|safe|running|short)(?![-\\p{L}]))',
    'saved, stored, cached',
  ),
  word('(?:kept|keeps?) (?:on|at|in) this (?:computer|machine)', 'saved on this computer'),
  word(
    '(?<!(?:payment|request|call|change|claim|decision)s? )(?:is|are|was|were|be|been|being) made(?! (?:of|up|for|public|available)(?![-\\p{L}]))',
    'created, generated',
  ),
  word('(?:just|newly|already) made', 'created, generated'),
  word('rooms?(?! (?:for|to|in|left)(?![-\\p{L}]))', 'screen, view'),
  word('(?:the|a|this|that|every) (?:strip|rail)', 'banner, sidebar'),
  word('what was asked', 'the request'),
  word("(?:service|provider)[’']s word", '“reported by the service”'),
  word('nobody knows|works? no more', 'unknown, no longer works'),
  word('where (?:there (?:is|are|was|were)|nothing|none|nobody)', 'if, when'),
  { pattern: /^Where (?:it|no|that|this|one|you|the \w+ (?:is|has|does))\b(?![^]*\?$)/u, better: 'if, when' },
  {
    pattern:
      /^(?:What|Whatever) (?:is|are|was|were|it|has|had|does|comes|came|cannot|can|you|Sotto|they|no|nobody)\b(?![^]*\?$)/u,
    better: 'name the subject',
  },
  // British spellings.
  word(
    'colour(?:s|ed|ing|ful)?|(?:behaviour|favour|flavour|honour|labour|neighbour|rumour)(?:s|ed|ing|ites?|able|al|ly)?',
    '-or: color, behavior, favorite, neighbor',
  ),
  word('catalogues?|dialogues?|programmes?|cheques?', 'catalog, dialog, program, check'),
  word('(?:licen|defen|offen|preten)ces?', '-se: license, defense'),
  word(
    `(?:${IZE_STEMS})is(?:e|es|ed|ing|er|ers|ation|ations)|analys(?:e|ed|es|ing)`,
    '-ize, -yze: minimize, organize, analyze',
  ),
  word('cent(?:re|res|red|ring)|fibres?|theatres?', '-er: center, fiber'),
  word(
    '(?:cancel|label|model|travel|signal|channel|total|level)l(?:ed|ing|er|ers)',
    'one l: canceled, labeled, modeled',
  ),
  word(
    'grey(?:s|ed)?|artefacts?|judgements?|fulfils?|ageing|learnt|spelt|whilst|amongst',
    'American spelling: gray, artifact, judgment, fulfill, aging, learned, while, among',
  ),
]

const anyOf = deniedEverywhere.map(({ pattern }) => pattern.source.replace(WORD_START, '').replace(/^\^/, ''))
/** Whether a text may use a word of `deniedEverywhere`: one pass, for the many texts that use none. */
export const mayBeDenied = new RegExp(`${WORD_START}(?:${anyOf.join('|')})`, 'iu')

/** Only in the window and in what the core and the desktop app show there: contractions and curly apostrophes. */
export const deniedInWindow: readonly Denied[] = [
  word('can ?not', 'can’t'),
  word(
    '(?:do|does|did|is|are|was|were|has|have|had|could|would|should|will|must) not(?! only(?![-\\p{L}]))',
    'a contraction, such as doesn’t or won’t',
  ),
  { pattern: /\p{L}'\p{L}/u, better: 'the apostrophe ’' },
]
