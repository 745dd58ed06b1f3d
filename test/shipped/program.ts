import { join, relative } from 'node:path'
import ts from 'typescript'

export const root = join(import.meta.dirname, '../..')
const source = join(root, 'src')

/** Of a source file, its path below src/; undefined for libraries and declarations. */
export function sourcePath(file: ts.SourceFile): string | undefined {
  const path = relative(source, file.fileName).replaceAll('\\', '/')
  return path.startsWith('..') || file.isDeclarationFile ? undefined : path
}

/** The whole of src/ that runs in Node, as the compiler of the project sees it. */
export function readProgram(): ts.Program {
  const fail = (diagnostic: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'))
  }
  const parsed = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.node.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  )
  if (!parsed) throw new Error('tsconfig.node.json cannot be read')
  const files = parsed.fileNames.filter((name) => name.startsWith(source))
  return ts.createProgram(files, parsed.options)
}

/** The source files below these folders of src/. */
export function filesBelow(program: ts.Program, folders: readonly string[]): ts.SourceFile[] {
  return program
    .getSourceFiles()
    .filter((file) => folders.some((folder) => sourcePath(file)?.startsWith(folder)))
}

/** Every node of a file, in order. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node
  for (const child of node.getChildren()) yield* nodesOf(child)
}
