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
import { plainTitles } from './lint/plain-titles.ts'
import { sentences } from './lint/sentences.js'

const namedExports = { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }
/**
 * parseRequestHead parses a request's target once. Code that parses the text again may read another path than
 * the guards did.
 */
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
/**
 * A constant in place of an unreadable value hides its loss. Only `lenient` in wire.ts reads optional
 * members.
 */
const silentCatch = {
  selector:
    "CallExpression[callee.property.name='catch']:matches([arguments.0.type='Literal'], [arguments.0.type='Identifier'][arguments.0.name='undefined'], [arguments.0.type='ArrayExpression'], [arguments.0.type='ObjectExpression'])",
  message: 'Read the member by itself, so that nothing known is lost.',
}
/** A reference to a core is the credential of its owner. */
const ownerOnly = {
  selector: "MemberExpression[object.name='Caller'][property.name='owner']",
  message: 'Only createCore calls Caller.owner().',
}

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'test-results/', 'playwright-report/'] },
  js.configs.recommended,
  // oxlint runs the rules that need types (.oxlintrc.json).
  ...tseslint.configs.strict,
  {
    plugins: {
      sotto: {
        rules: {
          docstrings,
          'file-size': fileSize,
          'import-walls': importWalls,
          'plain-comments': plainComments,
          'plain-names': plainNames,
          'plain-titles': plainTitles,
        },
      },
    },
    rules: {
      'sotto/import-walls': 'error',
      // eslint-suppressions.json counts the existing problems of these rules, and may only shrink.
      'sotto/file-size': 'error',
      'sotto/plain-comments': 'error',
      'sotto/plain-names': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', namedExports],
      // Code reaches the network through the fetch that createCore receives.
      'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
    },
  },
  // Untrusted text must not make a pattern run too long. If the rules can't detect it, a test of the module
  // uses a long text.
  {
    files: ['src/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  // Callers of these functions read the docstring instead of the code.
  { files: ['src/{core,ehbp,host,verifier}/**'], rules: { 'sotto/docstrings': 'error' } },
  // The sandbox only reads this machine's own requests.
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
  // The servers and their request handlers. The edges that parse or build a target are excluded.
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
  // Money is counted in bigint. Code that converts between floats and text states why.
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
  // One module for each of these, because a copy that it doesn't know of is erased with an earlier secret, and Safari
  // reports the Enter of an input method in its own way.
  {
    files: ['src/renderer/**'],
    ignores: ['src/renderer/ui/clipboard.ts', 'src/renderer/ui/ime-key.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'navigator', property: 'clipboard', message: 'Use ui/clipboard.ts.' },
        { property: 'isComposing', message: 'Use ui/ime-key.ts.' },
      ],
    },
  },
  // A module loads before the language is known, so a sentence at its top level would stay English
  // (docs/decisions/0007).
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
  // The window's only connection to the core, and the repository's tools for the services that they test.
  {
    files: [
      'src/renderer/ui/api.ts',
      'src/renderer/ui/stream-client.ts',
      'src/renderer/admin/team-api.ts',
      'src/renderer/ui/jobs/upload.ts',
      // The character maps and decoders of PDF files, and the recognition of text, are files of the window.
      'src/renderer/files/read-pdf.ts',
      'src/renderer/features/chat/attachments/recognition/recognizer.ts',
      'test/**',
    ],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['test/**'],
    rules: {
      'sotto/plain-titles': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['src/cli/**', 'test/**'], rules: { 'no-console': 'off' } },
  // The launcher also runs on a Node.js that is too old for modules.
  {
    files: ['bin/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { __dirname: 'readonly', process: 'readonly' },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off', 'no-var': 'off' },
  },
  { files: ['**/*.config.{ts,js}'], rules: { 'no-restricted-syntax': 'off' } },
)
