import 'katex/dist/katex.min.css'
import katex from 'katex'
import 'katex/contrib/mhchem'
import type { ReactNode } from 'react'
import { formulaTree } from './formula-tree.ts'
import { MAX_FORMULA } from './math-source.ts'

export { copyWithLatex } from './rich-copy.ts'

/** Commands that define a macro. Each use of a macro costs as much as its body. */
const DEFINES =
  /\\(?:[egx]?def|g?let|futurelet|(?:re|provide)?newcommand|renewcommand|global|long)(?![a-zA-Z])/
const MAX_EXPANSIONS = 1000
/** Characters that macros may come to, however they are defined. */
const MAX_EXPANDED = 20_000

/** A formula as elements. Undefined if KaTeX doesn't know it, or if it asks for more than a formula needs. */
export function drawFormula(tex: string, display: boolean): ReactNode | undefined {
  if (tex.length > MAX_FORMULA) return undefined
  try {
    const markup = katex.renderToString(knownTo(tex), {
      displayMode: display,
      output: 'htmlAndMathml',
      throwOnError: true,
      // No address, picture, class or style of the text's choosing.
      trust: false,
      strict: 'ignore',
      maxSize: 10,
      maxExpand: DEFINES.test(tex)
        ? Math.min(MAX_EXPANSIONS, Math.floor(MAX_EXPANDED / tex.length))
        : MAX_EXPANSIONS,
      macros: {},
      globalGroup: false,
    })
    return formulaTree(markup)
  } catch {
    // A parse error, or a nesting that no stack is deep enough for.
    return undefined
  }
}

/** KaTeX knows neither labels, which nothing refers to, nor two environments that have another name now. */
function knownTo(tex: string): string {
  return tex
    .replaceAll(/\\label\{[^{}]*\}/g, '')
    .replaceAll(
      /\\(begin|end)\{(?:(eqnarray)|multline)(\*?)\}/g,
      (_, tag: string, columns: string | undefined, star: string) =>
        `\\${tag}{${columns === undefined ? 'gather' : 'align'}${star}}`,
    )
}
