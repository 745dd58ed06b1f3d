import { readFile } from 'node:fs/promises'
import type { ExtractorType } from '@lingui/conf'
import ts from 'typescript'

/** The properties of a table that have sentences, not names. */
const SENTENCE_PROPERTIES = ['says', 'remedy', 'title']

/**
 * The files with sentences that reach the window unchanged, and the properties that have them, or all texts
 * of the file. A test requires that each expression matches a file.
 */
export const TABLES: readonly {
  readonly files: readonly RegExp[]
  readonly properties: readonly string[] | 'all'
}[] = [
  {
    files: [
      /\/src\/shared\/step-limits\.ts$/,
      /\/src\/shared\/sandbox-wallet-faults\.ts$/,
      /\/src\/shared\/enclave-change\.ts$/,
      /\/src\/shared\/self-test\.ts$/,
      /\/src\/verifier\/codes\/[\w-]+\.ts$/,
    ],
    properties: 'all',
  },
  {
    files: [/\/src\/shared\/error-codes\/[\w-]+\.ts$/, /\/src\/shared\/sandbox-faults\.ts$/],
    properties: [...SENTENCE_PROPERTIES, 'description'],
  },
  {
    files: [/\/src\/verifier\/[\w/-]+\.ts$/, /\/src\/core\/gateway\/channel\/release-memory\.ts$/],
    properties: SENTENCE_PROPERTIES,
  },
  {
    files: [/\/src\/sandbox\/routes\/private\.ts$/, /\/src\/sandbox\/routes\/service-enclave\.ts$/],
    properties: ['group', 'description'],
  },
  { files: [/\/src\/sandbox\/routes\/[\w-]+\.ts$/], properties: ['tag', 'summary'] },
  // Failures of the window itself are shown like those of the core, and looked up in the same way.
  { files: [/\/src\/renderer\/ui\/failure\.ts$/], properties: SENTENCE_PROPERTIES },
]

/**
 * Messages with failures, questions and notices: the arguments of `msg` (src/shared/localized-text.ts),
 * except on the command line, which is in English.
 */
const MESSAGE_FILES = /\/src\/(core|host|shared|main|verifier)\/[\w/-]+\.ts$/

/**
 * Adds the core's sentences to the catalogs, each under its own English. The window and the desktop's main
 * process look up the translation there (ui/language/core-sentences.ts); the core only has English.
 * @param macros for files that have sentences of Lingui's macros too
 */
export function coreSentences(macros: ExtractorType): ExtractorType {
  return {
    match: (filename) =>
      tableOf(filename) !== undefined ||
      MESSAGE_FILES.test(filename.replaceAll('\\', '/')) ||
      macros.match(filename),
    async extract(filename, code, onMessageExtracted, context) {
      const source = await readFile(filename, 'utf8')
      for (const [id, message] of [
        ...sentencesOf(filename, source).map((english) => [english, quoted(english)] as const),
        ...findMessages(filename, source).map((english) => [english, english] as const),
      ]) {
        onMessageExtracted({
          id,
          message,
          comment: 'A sentence of the core.',
          origin: [filename, 1],
          placeholders: {},
        })
      }
      if (/\/src\/(renderer|main)\//.test(filename) && !tableOf(filename))
        await macros.extract(filename, code, onMessageExtracted, context)
    },
  }
}

function tableOf(filename: string): (typeof TABLES)[number] | undefined {
  const path = filename.replaceAll('\\', '/')
  return TABLES.find(({ files }) => files.some((file) => file.test(path)))
}

/** The sentences of a file according to the table. */
export function sentencesOf(filename: string, code: string): readonly string[] {
  const properties = tableOf(filename)?.properties
  const found = new Set<string>()
  if (!properties) return []
  const take = (node: ts.Node | undefined, form: RegExp): void => {
    if (node && ts.isStringLiteralLike(node) && form.test(node.text)) found.add(node.text)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) {
      if (properties === 'all') take(node.initializer, /\s/)
      // A heading may be one word.
      else if (properties.includes(node.name.text)) take(node.initializer, /\s|^[A-Z]/)
    }
    if (properties === 'all') {
      // Some sentences are in functions, and some next to their subject.
      if (ts.isReturnStatement(node)) take(node.expression, /^[A-Z]/)
      if (ts.isCallExpression(node)) for (const argument of node.arguments) take(argument, /^[A-Z]/)
      if (ts.isArrayLiteralExpression(node)) for (const element of node.elements) take(element, /^[A-Z].*\s/)
      if (ts.isVariableDeclaration(node)) take(node.initializer, /^[A-Z].*\s/)
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed(filename, code))
  return [...found]
}

/** The ICU messages that a file passes to `msg`. Its type accepts only a literal, or a text of a table. */
export function findMessages(filename: string, code: string): readonly string[] {
  const found = new Set<string>()
  if (!MESSAGE_FILES.test(filename.replaceAll('\\', '/')) || !/\bmsg\(/.test(code)) return []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'msg') {
      const [english] = node.arguments
      if (english && ts.isStringLiteralLike(english)) found.add(english.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed(filename, code))
  return [...found]
}

function parsed(filename: string, code: string): ts.SourceFile {
  return ts.createSourceFile(filename, code, ts.ScriptTarget.Latest, true)
}

/** Escapes ICU's own characters. */
function quoted(english: string): string {
  return english
    .replaceAll("'", "''")
    .replace(/[{}<#]+/g, (signs) => (signs.includes('{') || signs.includes('}') ? `'${signs}'` : signs))
}
