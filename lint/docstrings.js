/** Statements that can export a documented name, and values of a const that count as functions or classes. */
const DECLARED = new Set(['FunctionDeclaration', 'TSDeclareFunction', 'ClassDeclaration'])
const VALUES = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'ClassExpression'])

/**
 * Every exported function and class has a docstring on the line before it that isn't empty. One docstring is
 * enough for overloads. Exports count at the top level of a file, also by `export { name }`; re-exports are
 * documented at their source. Docstrings of methods, types, and functions within objects are optional.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const docstrings = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      missing:
        '{{name}} is exported without a docstring: shapes, units, what it throws, and where it is specified.',
    },
  },
  create(context) {
    const { sourceCode } = context
    return {
      'Program:exit'(/** @type {any} */ program) {
        const exported = namesExported(program.body)
        /** @type {Map<string, { node: any, documented: boolean }>} */
        const found = new Map()
        for (const statement of program.body) {
          const direct = statement.type === 'ExportNamedDeclaration' && statement.declaration
          for (const { name, node } of functionsIn(direct || statement)) {
            if (!direct && !exported.has(name)) continue
            const before = found.get(name)
            found.set(name, {
              node: before?.node ?? node,
              documented: before?.documented === true || isDocumented(sourceCode, statement),
            })
          }
        }
        for (const [name, { node, documented }] of found)
          if (!documented) context.report({ node, messageId: 'missing', data: { name } })
      },
    }
  },
}

/** The local names of `export { name }`. @param {any[]} body */
function namesExported(body) {
  const lists = body.filter((statement) => statement.type === 'ExportNamedDeclaration' && !statement.source)
  return new Set(
    lists.flatMap(({ specifiers }) =>
      specifiers.map((/** @type {any} */ { local }) => local.name ?? local.value),
    ),
  )
}

/** @param {any} declaration @returns {{ name: string, node: any }[]} */
function functionsIn(declaration) {
  if (DECLARED.has(declaration.type))
    return declaration.id ? [{ name: declaration.id.name, node: declaration.id }] : []
  if (declaration.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap((/** @type {any} */ { id, init }) =>
    id.type === 'Identifier' && VALUES.has(bare(init)?.type) ? [{ name: id.name, node: id }] : [],
  )
}

/** Strips `as` and `satisfies`. @param {any} value */
function bare(value) {
  return value?.type === 'TSSatisfiesExpression' || value?.type === 'TSAsExpression'
    ? bare(value.expression)
    : value
}

/**
 * Checks the last block comment before the statement, with no empty line in between. A comment at the top of
 * a file is the file's.
 *
 * @param {import('eslint').SourceCode} sourceCode
 * @param {any} statement
 */
function isDocumented(sourceCode, statement) {
  let next = statement
  for (const comment of sourceCode.getCommentsBefore(statement).toReversed()) {
    if (!comment.loc || comment.loc.end.line + 1 < next.loc.start.line) return false
    if (comment.type === 'Block' && comment.value.startsWith('*')) return /[\p{L}\p{N}]/u.test(comment.value)
    next = comment
  }
  return false
}
