import { z } from 'zod'

const answerSchema = z.union([
  z.strictObject({ shown: z.literal(true) }),
  z.strictObject({ link: z.url({ protocol: /^https?$/ }).max(8000) }),
])

/** What the frame reports: that the document is shown, or that the person chose a link in it. */
export type FrameAnswer = z.infer<typeof answerSchema>

/**
 * Shows a document in a frame of an opaque origin. The frame's policy permits no network and no script of the
 * document, and the frame reads nothing of this page. An attacker controls the document, and with it all that the
 * frame sends.
 */
export function frameDocument(
  place: HTMLElement,
  title: string,
  source: string,
  answer: (answer: FrameAnswer) => void,
): () => void {
  const frame = document.createElement('iframe')
  const { port1: port, port2 } = new MessageChannel()
  port.onmessage = ({ data }) => {
    const parsed = answerSchema.safeParse(data)
    if (parsed.success) answer(parsed.data)
  }
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = title
  // An opaque origin can't be named as a target; the content window identifies the frame.
  frame.addEventListener('load', () => frame.contentWindow?.postMessage({ source }, '*', [port2]), {
    once: true,
  })
  // `document.html` is next to the window's own page, in the desktop app and in a browser tab.
  frame.src = new URL('document.html', document.baseURI).href
  place.replaceChildren(frame)
  return () => {
    port.close()
    frame.remove()
  }
}
