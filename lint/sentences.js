import lingui from 'eslint-plugin-lingui'

/** Code that isn't shown: IDs, classes, addresses, attributes and keys of the keyboard. */
const CODE = ['^[a-z0-9.#_/:@~`?-]\\S*$', '^[A-Z]$', '^(POST|GET|PUT|UTC|U\\+|Bearer|WEBVTT.*)$']

/**
 * The same in every language: names of products, networks, formats, coins, units and headers, and the
 * placeholders of a prompt.
 */
const NAMES = [
  '^(· )?Sotto$',
  '^(Bitcoin|Litecoin|Monero|Markdown|HTML|JSON|ChatGPT|Claude|Open WebUI|LibreChat|Jan|Chatbox|Cherry Studio|LM Studio|DeepSeek|Gemini|Grok|OpenRouter|TypingMind|AMD SEV-SNP|Intel TDX|AWS Nitro)$',
  '^(BTC|LTC|L-BTC|XMR|USD|SATS|KiB|MiB)$',
  '^(X-Sotto-\\w+|Server-Timing)$',
  '^\\\\?\\{\\{.*$',
]

/** Attributes and properties that hold code or search terms, and constants that don't hold a sentence. */
const HOLD_CODE = [
  '^(className|d|viewBox|points|also|id|key|type|kind|accept|strokeDasharray|transform|preserveAspectRatio)$',
  '^[A-Z][A-Z0-9_]+$',
]

/** Calls whose arguments aren't shown. Errors are shown by their code. */
const TAKE_CODE = [
  '*Error',
  'DOMException',
  'RegExp',
  'Set',
  'Intl.*',
  'matchMedia',
  '*.{includes,startsWith,endsWith,split,join,replace,replaceAll,matches,closest,querySelector,querySelectorAll,setAttribute,toggleAttribute}',
]

/** Inside these elements a word is part of a sentence, or isn't translated. */
const TRANSLATED = 'JSXElement[openingElement.name.name=/^(Trans|Plural|code|kbd)$/] JSXText'

/**
 * Every text of the window goes through Lingui's macros, so that it is in the catalogs (docs/decisions/0007):
 * texts of elements, attributes, announcements and tables of words.
 *
 * @type {import('eslint').Linter.Config[]}
 */
export const sentences = [
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    ignores: [
      // Settings of third-party programs, with the names that those programs use.
      'src/renderer/features/developer/tools/**',
      // Written for a model, together with the text of a document.
      'src/renderer/files/pdf-{pages,text}.ts',
      'src/renderer/files/readers/**',
      // Names of encodings, which are the same in every language.
      'src/renderer/files/reading-words.ts',
      // Each language has its own name.
      'src/renderer/ui/language/language.ts',
      // Looked up by its English text, like the core's sentences (ui/language/core-sentences.ts).
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
        // The rule above treats a single lowercase word as code, but a shown word isn't. Milliseconds are ms
        // in all languages.
        {
          selector: `JSXText[value=/^\\s*(?!ms\\b)[a-z]/]:not(${TRANSLATED})`,
          message: 'Wrap it with <Trans>.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^(label|title|placeholder|alt|says|hint|fault|aria-label|aria-description|aria-roledescription|aria-valuetext)$/] > Literal[value=/^[a-z]+$/]',
          message: 'Wrap it with t``.',
        },
        // The bubble of a browser that checks a form speaks the browser's language.
        {
          selector: "JSXOpeningElement[name.name='form']:not(:has(JSXAttribute[name.name='noValidate']))",
          message: 'Use Form of ui/field.tsx.',
        },
      ],
    },
  },
]
