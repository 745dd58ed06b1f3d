import { t } from '@lingui/core/macro'
import library from 'mermaid/dist/mermaid.min.js?url'
import { z } from 'zod'
import { ownFile } from '../../ui/api.ts'
import { useLanguage } from '../../ui/language/language.ts'

/** A slow machine needs some seconds only to load the library, which has five megabytes. */
const LIMIT_MS = 30_000
const side = z.number().positive().max(20_000)
const answerSchema = z.union([
  z.object({ drawn: z.object({ width: side, height: side }) }),
  z.object({ refused: z.literal(true) }),
])

let loading: Promise<string> | undefined

function loadScript(): Promise<string> {
  loading ??= ownFile(library)
  // The next diagram loads it again.
  loading.catch(() => (loading = undefined))
  return loading
}

export interface Drawn {
  readonly width: number
  readonly height: number
}

/** A drawing, or why there is none. */
export type DrawingOutcome = Drawn | 'refused' | 'late'

/**
 * Draws in a frame of an opaque origin with its own policy: no network, and only the two scripts that the frame
 * consists of. This page loads the library and passes it in. The frame returns only a size; nothing of the drawing
 * enters this page.
 *
 * @param options.signal removes the frame when it aborts, also after the diagram was drawn
 */
export function drawDiagram(
  place: HTMLElement,
  source: string,
  { dark, signal }: { readonly dark: boolean; readonly signal: AbortSignal },
): Promise<DrawingOutcome> {
  const { promise, resolve } = Promise.withResolvers<DrawingOutcome>()
  const frame = document.createElement('iframe')
  const { port1: port, port2 } = new MessageChannel()
  const end = (outcome: DrawingOutcome) => {
    clearTimeout(timer)
    port.close()
    if (typeof outcome === 'string') frame.remove()
    resolve(outcome)
  }
  const timer = setTimeout(() => end('late'), LIMIT_MS)
  signal.addEventListener('abort', () => {
    end('late')
    frame.remove()
  })
  port.onmessage = ({ data }) => {
    const answer = answerSchema.safeParse(data)
    end(answer.success && 'drawn' in answer.data ? answer.data.drawn : 'refused')
  }
  frame.setAttribute('sandbox', 'allow-scripts')
  const name = () => {
    frame.title = t`Diagram`
  }
  name()
  signal.addEventListener('abort', useLanguage.subscribe(name))
  frame.tabIndex = -1
  frame.addEventListener('load', () => void handIn(), { once: true })
  // `diagram.html` is next to the window's own page, in the desktop app and in a browser tab.
  frame.src = new URL('diagram.html', document.baseURI).href
  place.replaceChildren(frame)
  return promise

  async function handIn(): Promise<void> {
    try {
      const script = await loadScript()
      // An opaque origin can't be named as a target; the content window identifies the frame.
      frame.contentWindow?.postMessage({ script, source, dark }, '*', [port2])
    } catch {
      end('refused')
    }
  }
}
