/** Statements that can export what a docstring belongs to, and the values that a const may name it by. */
const DECLARED = new Set(['FunctionDeclaration', 'TSDeclareFunction', 'ClassDeclaration'])
const VALUES = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'ClassExpression'])

/**
 * Every exported function and class has a docstring, one that is not empty, on the line before it. Of overloads one is enough. Exports
 * count at the top of a file, also by `export { name }`; what is exported from elsewhere is documented there. Methods, types, and
 * functions within objects are left to whoever writes them.
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

/** The names of `export { name }`, as they are called within the file. @param {any[]} body */
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

/** Without `as` and `satisfies`. @param {any} value */
function bare(value) {
  return value?.type === 'TSSatisfiesExpression' || value?.type === 'TSAsExpression'
    ? bare(value.expression)
    : value
}

/**
 * By the last block comment of its kind, from which to the statement no line is empty: one at the top of a file is the file's.
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
