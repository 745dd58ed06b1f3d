import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { PLACE, type Text } from './text.ts'

/** Literals that may be sentences: a letter, then white space, then more; or a sentence of one word with a full stop. */
const SENTENCE = /\p{L}[^\n]*\s\S|^\p{Lu}\p{L}+\.$/u
/** A command in quotation marks within a sentence. */
const COMMAND = /"sotto [^"]*"/g
/** Option flags, commands, queries of a database, media types and headers. */
const CODE =
  /^\s*(?:--?\w|sotto [a-z]|SELECT |INSERT |UPDATE |DELETE |CREATE |DROP |PRAGMA |BEGIN|WITH |[a-z]+\/[a-z])/
/** Calls whose arguments are in a catalog already, or that no one reads. */
const READ_ELSEWHERE = new Set([
  'msg',
  'RegExp',
  'split',
  'join',
  'includes',
  'startsWith',
  'endsWith',
  'replace',
  'replaceAll',
  'createHash',
  'exec',
  'prepare',
])

/** Reads what a file shows by string literals and templates. */
export function readLiterals(root: string, file: string): readonly Text[] {
  return parseLiterals(readFileSync(join(root, file), 'utf8'), file)
}

/** Reads of a file only the messages in the answers of a service: properties such as `message`, and arguments of functions such as `refuse`. */
export function readAnswers(root: string, file: string): readonly Text[] {
  return parseLiterals(readFileSync(join(root, file), 'utf8'), file, isInAnswer)
}

/** @param file names the place of each text */
export function parseLiterals(
  code: string,
  file: string,
  isRead: (node: ts.Node) => boolean = () => true,
): readonly Text[] {
  const source = parseSource(code, file)
  const found: Text[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isCallExpression(node) && READ_ELSEWHERE.has(calledName(node))) return
    const text = textOf(node)
    if (text !== undefined && SENTENCE.test(text) && !CODE.test(text) && isRead(node))
      found.push({ place: placeOf(source, node), text: text.replaceAll(COMMAND, PLACE), role: 'text' })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isInAnswer(node: ts.Node): boolean {
  const parent = skipChoices(node)
  if (ts.isPropertyAssignment(parent))
    return /^(?:message|error|title|detail|says|reason)$/.test(parent.name.getText())
  return (
    (ts.isCallExpression(parent) && /refus/i.test(calledName(parent))) ||
    (ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText()))
  )
}

/** The node that holds a literal, past `??` and `? :`. */
function skipChoices(node: ts.Node): ts.Node {
  let parent = node.parent
  while (
    ts.isConditionalExpression(parent) ||
    ts.isBinaryExpression(parent) ||
    ts.isParenthesizedExpression(parent)
  )
    parent = parent.parent
  return parent
}

function calledName(call: ts.CallExpression): string {
  const { expression } = call
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
}

/** The text of a literal or a template, with a place for each value. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  return ts.isTemplateExpression(node) ? fillTemplate(node) : undefined
}

/** The text of a template with a place for each value. */
export function fillTemplate({ head, templateSpans }: ts.TemplateExpression): string {
  return head.text + templateSpans.map(({ literal }) => PLACE + literal.text).join('')
}

export function parseSource(code: string, file: string): ts.SourceFile {
  return ts.createSourceFile(
    file,
    code,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
}

export function placeOf(source: ts.SourceFile, node: ts.Node): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`
}
