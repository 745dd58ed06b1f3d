import { common, createLowlight } from 'lowlight'
import type { Answered, Asked } from './colour-code.ts'
import { refuseDepth } from './nesting.ts'

const lowlight = createLowlight(common)
const tokenDepth = refuseDepth()

addEventListener('message', ({ data }: MessageEvent<Asked>) =>
  postMessage({ nodes: coloured(data) } satisfies Answered),
)

function coloured({ language, text }: Asked): Answered['nodes'] {
  if (!lowlight.registered(language)) return undefined
  try {
    const tree = lowlight.highlight(language, text)
    tokenDepth(tree)
    return tree.children.filter((node) => node.type === 'element' || node.type === 'text')
  } catch {
    // Nested too deep for a page: the code stays plain text.
    return undefined
  }
}
