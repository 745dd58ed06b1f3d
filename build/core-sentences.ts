import { readFile } from 'node:fs/promises'
import type { ExtractorType } from '@lingui/conf'
import ts from 'typescript'

/** What is said in a table, and not what names things. */
const SAYS = ['says', 'remedy', 'title']

/** Where sentences stand that reach the window as they are written there; by the properties that say something, or whatever a file says. */
const TABLES: readonly { readonly file: RegExp; readonly says: readonly string[] | 'all' }[] = [
  { file: /\/src\/shared\/(step-limits|sandbox-wallet-faults|enclave-change|verdict|attestation-codes\/[\w-]+)\.ts$/, says: 'all' },
  { file: /\/src\/shared\/(error-codes|sandbox-faults)\.ts$/, says: SAYS },
  { file: /\/src\/core\/attestation\/[\w/-]+\.ts$|\/src\/core\/channel\/release-memory\.ts$/, says: SAYS },
  { file: /\/src\/sandbox\/routes\/private\.ts$/, says: ['group', 'says'] },
  { file: /\/src\/sandbox\/routes\/[\w-]+\.ts$/, says: ['tag', 'summary'] },
  // What the window itself found stands beside what the core says, and is looked up as that is.
  { file: /\/src\/renderer\/ui\/failure\.ts$/, says: SAYS },
]

function tableOf(filename: string): (typeof TABLES)[number] | undefined {
  return TABLES.find(({ file }) => file.test(filename.replaceAll('\\', '/')))
}

/**
 * Lets catalogues hold the core's sentences, each under its own English: the window looks there what a sentence is in its
 * language (ui/language/core-sentences.ts), and the core knows of no language but one.
 */
export const coreSentences: ExtractorType = {
  match: (filename) => tableOf(filename) !== undefined,
  async extract(filename, _code, onMessageExtracted) {
    for (const english of sentencesOf(filename, await readFile(filename, 'utf8'))) {
      onMessageExtracted({ id: english, message: quoted(english), comment: 'A sentence of the core.', origin: [filename, 1], placeholders: {} })
    }
  },
}

export function sentencesOf(filename: string, code: string): readonly string[] {
  const says = tableOf(filename)?.says ?? []
  const found = new Set<string>()
  const take = (node: ts.Node | undefined, form: RegExp): void => {
    if (node && ts.isStringLiteralLike(node) && form.test(node.text)) found.add(node.text)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) {
      if (says === 'all') take(node.initializer, /\s/)
      // A heading may be one word.
      else if (says.includes(node.name.text)) take(node.initializer, /\s|^[A-Z]/)
    }
    if (says === 'all') {
      // Some are said by a function, and some stand beside what they are about.
      if (ts.isReturnStatement(node)) take(node.expression, /^[A-Z]/)
      if (ts.isCallExpression(node)) for (const said of node.arguments) take(said, /^[A-Z]/)
      if (ts.isArrayLiteralExpression(node)) for (const said of node.elements) take(said, /^[A-Z].*\s/)
      if (ts.isVariableDeclaration(node)) take(node.initializer, /^[A-Z].*\s/)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(filename, code, ts.ScriptTarget.Latest, true))
  return [...found]
}

/** ICU's own signs, meant as they stand. */
function quoted(english: string): string {
  return english.replaceAll("'", "''").replace(/[{}<#]+/g, (signs) => (signs.includes('{') || signs.includes('}') ? `'${signs}'` : signs))
}
