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
 * Draws in a frame of an opaque origin with its own policy: no network, and only the two scripts that the frame
 * consists of. This page loads the library and passes it in. The frame returns only a size; nothing of the drawing
 * enters this page.
 */
export function showDiagram(
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
  // `diagram.html` is next to the window's own page, in the desktop app and in a browser tab.
  frame.src = new URL('diagram.html', document.baseURI).href
  place.replaceChildren(frame)

  async function handIn(): Promise<void> {
    try {
      const script = await ownFile(library)
      const dark =
        getComputedStyle(frame).colorScheme === 'dark' ||
        (document.documentElement.dataset['theme'] !== 'light' &&
          matchMedia('(prefers-color-scheme: dark)').matches)
      // An opaque origin can't be named as a target; the content window identifies the frame.
      if (!over) frame.contentWindow?.postMessage({ script, source, dark }, '*', [port2])
    } catch {
      end('refused')
    }
  }
  return close
}
