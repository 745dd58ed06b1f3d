import lingui from 'eslint-plugin-lingui'

/** Of the code, and read by nobody: ids, classes, addresses, attributes and keys of the keyboard. */
const CODE = ['^[a-z0-9.#_/:@~`?-]\\S*$', '^[A-Z]$', '^(POST|GET|PUT|UTC|U\\+|Bearer|WEBVTT.*)$']

/** The same in every language: names of products, networks, formats, coins, units and headers, and the placeholders of a prompt. */
const NAMES = [
  '^(· )?Sotto$',
  '^(Bitcoin|Litecoin|Monero|Markdown|HTML|JSON|ChatGPT|Claude|Open WebUI|LibreChat|Jan|Chatbox|Cherry Studio|LM Studio|DeepSeek|OpenRouter|TypingMind|AMD SEV-SNP|Intel TDX|AWS Nitro)$',
  '^(BTC|LTC|L-BTC|XMR|USD|SATS|KiB|MiB)$',
  '^(X-Sotto-\\w+|Server-Timing)$',
  '^\\\\?\\{\\{.*$',
]

/** Attributes and properties that hold code, or words that are only searched; and constants that name no sentence. */
const HOLD_CODE = [
  '^(className|d|viewBox|points|also|id|key|type|kind|accept|strokeDasharray|transform|preserveAspectRatio)$',
  '^[A-Z][A-Z0-9_]+$',
]

/** What is thrown is told by its code. */
const TAKE_CODE = [
  '*Error',
  'DOMException',
  'RegExp',
  'Set',
  'Intl.*',
  'matchMedia',
  '*.{includes,startsWith,endsWith,split,join,replace,replaceAll,matches,closest,querySelector,querySelectorAll,setAttribute,toggleAttribute}',
]

/** Within these a word is part of a sentence, or of nobody's language. */
const TRANSLATED = 'JSXElement[openingElement.name.name=/^(Trans|Plural|code|kbd)$/] JSXText'

/**
 * Every word of the window goes through Lingui's macros, so that it is in the catalogues (docs/decisions/0007): texts of elements,
 * attributes, announcements and tables of words.
 * @type {import('eslint').Linter.Config[]}
 */
export const sentences = [
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    ignores: [
      // Settings of other people's programs, under the names that those programs give them.
      'src/renderer/features/developer/tools/**',
      // Written for a model, beside the text of a document.
      'src/renderer/features/chat/attachments/pdf-{pages,text}.ts',
      'src/renderer/features/chat/attachments/readers/**',
      // Names of encodings, which are the same in every language.
      'src/renderer/features/chat/attachments/reading-words.ts',
      // Each language by its own name.
      'src/renderer/ui/language/language.ts',
      // Looked up by its English, as the core's sentences are (ui/language/core-sentences.ts).
      'src/renderer/ui/failure.ts',
    ],
    plugins: { lingui },
    rules: {
      'lingui/no-unlocalized-strings': [
        'error',
        {
          ignore: [...CODE, ...NAMES],
          ignoreNames: HOLD_CODE.map((pattern) => ({ regex: { pattern } })),
          ignoreFunctions: TAKE_CODE,
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        // One small word is code to the rule above, but not where it is shown. Milliseconds are ms everywhere.
        { selector: `JSXText[value=/^\\s*(?!ms\\b)[a-z]/]:not(${TRANSLATED})`, message: 'Wrap it with <Trans>.' },
        {
          selector:
            'JSXAttribute[name.name=/^(label|title|placeholder|alt|says|hint|fault|aria-label|aria-description|aria-roledescription|aria-valuetext)$/] > Literal[value=/^[a-z]+$/]',
          message: 'Wrap it with t``.',
        },
      ],
    },
  },
]
