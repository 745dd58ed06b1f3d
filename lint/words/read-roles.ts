import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { fillTemplate, parseSource, placeOf } from './read-code.ts'
import { PLACE, type Role, type Text } from './text.ts'

/** Attributes with the same role on every element. */
const ATTRIBUTES: Readonly<Record<string, Role>> = {
  busy: 'busy',
  doing: 'busy',
  does: 'button',
  send: 'button',
  button: 'button',
  copies: 'label',
  placeholder: 'placeholder',
}

/** Attributes and children whose role depends on their element. */
const ELEMENTS: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  Button: { children: 'button' },
  IconButton: { label: 'label' },
  CopyButton: { label: 'label' },
  Menu: { items: 'button' },
  ConfirmDialog: { title: 'title', alternative: 'button' },
  Dialog: { title: 'title' },
  NameDialog: { title: 'title' },
  View: { title: 'heading' },
  Section: { title: 'heading' },
  h1: { children: 'title' },
  h2: { children: 'heading' },
  h3: { children: 'heading' },
  h4: { children: 'heading' },
}

/** Reads the texts of buttons, headings, titles and placeholders in a file of the window. */
export function readRoles(root: string, file: string): readonly Text[] {
  return parseRoles(readFileSync(join(root, file), 'utf8'), file)
}

/** @param file names the location of each text */
export function parseRoles(code: string, file: string): readonly Text[] {
  const source = parseSource(code, file)
  const found: Text[] = []
  const add = (role: Role | undefined, node: ts.Node | undefined): void => {
    if (role === undefined || node === undefined) return
    for (const { at, text } of messagesIn(node)) found.push({ place: placeOf(source, at), text, role })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const roles = ELEMENTS[node.tagName.getText()] ?? {}
      for (const attribute of node.attributes.properties) {
        if (!ts.isJsxAttribute(attribute)) continue
        const name = attribute.name.getText()
        add(roles[name] ?? ATTRIBUTES[name], attribute.initializer)
      }
    }
    if (ts.isJsxElement(node)) {
      const role = ELEMENTS[node.openingElement.tagName.getText()]?.['children']
      for (const child of node.children) add(role, child)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

interface Message {
  readonly at: ts.Node
  readonly text: string
}

/**
 * Returns the messages of Lingui's macros below a node. For an object only the properties `name` and `button` count,
 * which are the texts that a menu and a dialog show.
 */
function messagesIn(node: ts.Node): readonly Message[] {
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 't') {
    const { template } = node
    return [{ at: node, text: ts.isTemplateExpression(template) ? fillTemplate(template) : template.text }]
  }
  if (ts.isCallExpression(node) && /^(?:t|plural)$/.test(node.expression.getText())) return literalsIn(node)
  if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'Trans')
    return [{ at: node, text: textOfChildren(node.children) }]
  if (ts.isPropertyAssignment(node))
    return /^(?:name|button)$/.test(node.name.getText()) ? messagesIn(node.initializer) : []
  if (ts.isArrowFunction(node) || ts.isJsxAttributes(node)) return []
  const below: Message[] = []
  ts.forEachChild(node, (child) => {
    below.push(...messagesIn(child))
  })
  return below
}

/** `t({ message, context })` and `plural(count, { one, other })`. */
function literalsIn(call: ts.CallExpression): readonly Message[] {
  const options = call.arguments.find(ts.isObjectLiteralExpression)
  return (options?.properties ?? []).flatMap((property) => {
    if (!ts.isPropertyAssignment(property) || !/^(?:message|one|other)$/.test(property.name.getText()))
      return []
    const { initializer } = property
    if (ts.isTemplateExpression(initializer)) return [{ at: property, text: fillTemplate(initializer) }]
    return ts.isStringLiteralLike(initializer) ? [{ at: property, text: initializer.text }] : []
  })
}

/** Joins text as React does, which drops white space at line breaks. */
function textOfChildren(children: readonly ts.JsxChild[]): string {
  return children
    .map((child): string => {
      if (ts.isJsxText(child))
        return child.text
          .split('\n')
          .map((line, at, lines) =>
            lines.length === 1
              ? line
              : at === 0
                ? line.trimEnd()
                : at === lines.length - 1
                  ? line.trimStart()
                  : line.trim(),
          )
          .filter((line) => line !== '')
          .join(' ')
      if (ts.isJsxElement(child)) return textOfChildren(child.children)
      return ts.isJsxExpression(child) && child.expression && ts.isStringLiteralLike(child.expression)
        ? child.expression.text
        : PLACE
    })
    .join('')
}
