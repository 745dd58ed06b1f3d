import { readFile } from 'node:fs/promises'
import type { ExtractorType } from '@lingui/conf'
import ts from 'typescript'

/** Where sentences stand that reach the window as they are written there. */
const TABLES = /\/src\/shared\/(error-codes|step-limits|sandbox-faults|sandbox-wallet-faults|enclave-change|attestation-codes\/[\w-]+)\.ts$|\/src\/core\/attestation\/[\w/-]+\.ts$/

/** What is said there, and not what names things. */
const SAYS = new Set(['says', 'remedy', 'title'])

/**
 * Lets catalogues hold the core's sentences, each under its own English: the window looks there what a sentence is in its
 * language (ui/language/core-sentences.ts), and the core knows of no language but one.
 */
export const coreSentences: ExtractorType = {
  match: (filename) => TABLES.test(filename.replaceAll('\\', '/')),
  async extract(filename, _code, onMessageExtracted) {
    for (const english of sentencesOf(filename, await readFile(filename, 'utf8'))) {
      onMessageExtracted({ id: english, message: quoted(english), comment: 'A sentence of the core.', origin: [filename, 1], placeholders: {} })
    }
  },
}

export function sentencesOf(filename: string, code: string): readonly string[] {
  const all = /\/(attestation-codes|step-limits|sandbox-wallet-faults|enclave-change)/.test(filename)
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) {
      const name = ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : ''
      if ((all || SAYS.has(name)) && /\s/.test(node.initializer.text)) found.add(node.initializer.text)
    }
    // Some are said by a function.
    if (all && (ts.isReturnStatement(node) || ts.isCallExpression(node))) {
      for (const said of ts.isCallExpression(node) ? node.arguments : [node.expression]) if (said && ts.isStringLiteral(said) && /^[A-Z]/.test(said.text)) found.add(said.text)
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
