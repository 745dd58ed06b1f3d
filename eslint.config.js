import js from '@eslint/js'
import lingui from 'eslint-plugin-lingui'
import reactHooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import { docstrings } from './lint/docstrings.js'
import { fileSize } from './lint/file-size.ts'
import { importWalls } from './lint/import-walls.js'
import { plainComments } from './lint/plain-comments.ts'
import { plainNames } from './lint/plain-names.ts'
import { sentences } from './lint/sentences.js'

/** What tsconfig.e2e.json includes, and of that what tsconfig.web.json does: the later entry holds. */
const ofPageTests = ['test/{e2e,electron,shots,bench-ui}/**', 'playwright.config.ts']
const ofTheWindow = ['src/renderer/**', 'test/renderer/**', 'test/bench-ui/peer-page/**']

const namedExports = { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }
/** A request's target is parsed once, by parseRequestHead. Whoever reads the text again may understand another path than the guards did. */
const parsedTarget = [
  {
    selector:
      'MemberExpression[object.name=/^(request|incoming|raw|req)$/][property.name=/^(url|originalUrl)$/]',
    message: 'Decide on the parsed head of a request, not on its text.',
  },
  {
    selector:
      'Program:has(ImportDeclaration[source.value="node:http"]) ObjectPattern > Property[key.name=/^(url|originalUrl)$/]',
    message: 'Decide on the parsed head of a request, not on its text.',
  },
]
/** A constant in place of what can't be read loses it without a word. `lenient` in wire.ts is the one reader of optional members. */
const silentCatch = {
  selector:
    "CallExpression[callee.property.name='catch']:matches([arguments.0.type='Literal'], [arguments.0.type='Identifier'][arguments.0.name='undefined'], [arguments.0.type='ArrayExpression'], [arguments.0.type='ObjectExpression'])",
  message: 'Read the member by itself, so that nothing known is lost.',
}
/** Holding a core is the credential of its owner. */
const ownerOnly = {
  selector: "MemberExpression[object.name='Caller'][property.name='owner']",
  message: 'Only createCore calls Caller.owner().',
}

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'test-results/', 'playwright-report/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      sotto: {
        rules: {
          docstrings,
          'file-size': fileSize,
          'import-walls': importWalls,
          'plain-comments': plainComments,
          'plain-names': plainNames,
        },
      },
    },
    rules: {
      'sotto/import-walls': 'error',
      // What these find today is counted in eslint-suppressions.json, which only shrinks.
      'sotto/file-size': 'error',
      'sotto/plain-comments': 'error',
      'sotto/plain-names': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', namedExports],
      // The network is reached through the fetch that createCore is given.
      'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
    },
  },
  // Each file is read in the one program that holds it, so that no other is made for its sake.
  { files: ofPageTests, languageOptions: { parserOptions: { project: './tsconfig.e2e.json' } } },
  { files: ofTheWindow, languageOptions: { parserOptions: { project: './tsconfig.web.json' } } },
  // A text from outside must not make a pattern stand still. What the rules do not see, a test of the module shows with a long text.
  {
    files: ['src/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  // Who calls these reads their docstring, and not them.
  { files: ['src/{core,ehbp,host,verifier}/**'], rules: { 'sotto/docstrings': 'error' } },
  // The sandbox reads what this machine sends to itself.
  { files: ['src/sandbox/**'], rules: { 'regexp/no-super-linear-move': 'off' } },
  {
    files: ['src/**'],
    ignores: ['src/core/core.ts'],
    rules: { 'no-restricted-syntax': ['error', namedExports, ownerOnly] },
  },
  {
    files: ['src/{core,ehbp,verifier}/**'],
    ignores: ['src/core/core.ts', 'src/core/gateway/service/http/wire.ts'],
    rules: { 'no-restricted-syntax': ['error', namedExports, ownerOnly, silentCatch] },
  },
  // The servers, and what they hand requests to. The edges that parse a target or build one are left out.
  {
    files: [
      'src/core/gateway/{proxy,callers,local-keys}/**',
      'src/core/{rpc,app}/**',
      'src/host/**',
      'src/cli/**',
    ],
    ignores: ['src/core/gateway/proxy/request-heads.ts'],
    rules: { 'no-restricted-syntax': ['error', namedExports, ownerOnly, silentCatch, ...parsedTarget] },
  },
  // Money is counted in bigint: what makes a float of a text, or a text of one, says why.
  {
    files: ['src/core/payments/**', 'src/core/gateway/pricing/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        namedExports,
        ownerOnly,
        silentCatch,
        {
          selector: 'CallExpression[callee.name=/^(Number|parseFloat)$/]',
          message: 'No float touches money.',
        },
        {
          selector: 'CallExpression[callee.property.name=/^(toFixed|toPrecision|parseFloat)$/]',
          message: 'No float touches money.',
        },
      ],
    },
  },
  { files: ['src/renderer/**'], ...reactHooks.configs.flat.recommended },
  // A module is read before the language is known, so that a sentence at its top would stay English (docs/decisions/0007).
  {
    files: ['src/renderer/**'],
    plugins: { lingui },
    rules: {
      'lingui/t-call-in-function': 'error',
      'lingui/no-trans-inside-trans': 'error',
      'lingui/no-single-tag-to-translate': 'error',
      'lingui/no-single-variables-to-translate': 'error',
    },
  },
  ...sentences,
  // The window's one door, and the tools of the repository, reach what they test.
  {
    files: [
      'src/renderer/ui/api.ts',
      'src/renderer/ui/jobs/upload.ts',
      // The character maps of PDF files are files of the window.
      'src/renderer/features/chat/attachments/read-pdf.ts',
      'test/**',
    ],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['src/cli/**', 'test/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.config.{ts,js}'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
)
