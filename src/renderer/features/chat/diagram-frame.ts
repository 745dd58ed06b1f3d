import { t } from '@lingui/core/macro'
import library from 'mermaid/dist/mermaid.min.js?url'
import { z } from 'zod'
import { ownFile } from '../../ui/api.ts'

/** A slow machine needs some seconds only to load the library, which has five megabytes. */
const LIMIT_MS = 30_000
const side = z.number().positive().max(20_000)
const answerSchema = z.union([
  z.object({ drawn: z.object({ width: side, height: side }) }),
  z.object({ refused: z.literal(true) }),
])

export interface Drawn {
  readonly width: number
  readonly height: number
}

/**
 * Draws in a frame of an opaque origin, which has a policy of its own: no network, and no script but the two that it is
 * made of. The library is fetched here and handed in. What comes back is a size; nothing of the drawing enters this page.
 */
export function openDiagram(
  place: HTMLElement,
  source: string,
  tell: (outcome: Drawn | 'refused' | 'late') => void,
): () => void {
  const frame = document.createElement('iframe')
  const { port1: port, port2 } = new MessageChannel()
  let over = false
  const close = () => {
    over = true
    clearTimeout(timer)
    port.close()
    frame.remove()
  }
  const end = (outcome: Drawn | 'refused' | 'late') => {
    if (over) return
    if (typeof outcome === 'string') close()
    else clearTimeout(timer)
    tell(outcome)
  }
  const timer = setTimeout(() => end('late'), LIMIT_MS)
  port.onmessage = ({ data }) => {
    const answer = answerSchema.safeParse(data)
    end(answer.success && 'drawn' in answer.data ? answer.data.drawn : 'refused')
  }
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = t`Diagram`
  frame.tabIndex = -1
  frame.addEventListener('load', () => void handIn(), { once: true })
  // Its address is beside the window's own, in the desktop and in a tab alike.
  frame.src = new URL('diagram.html', document.baseURI).href
  place.replaceChildren(frame)

  async function handIn(): Promise<void> {
    try {
      const script = await ownFile(library)
      const dark =
        getComputedStyle(frame).colorScheme === 'dark' ||
        (document.documentElement.dataset['theme'] !== 'light' &&
          matchMedia('(prefers-color-scheme: dark)').matches)
      // An opaque origin has no name to send to; the frame's place says whose it is.
      if (!over) frame.contentWindow?.postMessage({ script, source, dark }, '*', [port2])
    } catch {
      end('refused')
    }
  }
  return close
}
