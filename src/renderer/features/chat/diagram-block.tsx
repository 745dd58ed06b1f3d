import { t } from '@lingui/core/macro'
import { createContext, useContext, useEffect, useRef, useState, type RefObject } from 'react'
import { useLanguage } from '../../ui/language/language.ts'
import { CodeFrame, Toggle, type FrameProps } from './code-frame.tsx'
import { DiagramFailure, useDrawing } from './diagram.tsx'
import styles from './diagram.module.css'
import { useFind } from './find/find-store.ts'

/** Whether the text around is still arriving, so that the code in it may be incomplete. */
export const GrowingText = createContext(false)

/** The distance from the view at which a diagram is drawn, and removed again. */
const NEAR = '100% 0px'

function useNear(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current) return undefined
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting === true),
      // `rootMargin` extends the window, and `scrollMargin` the chat that scrolls in it.
      { rootMargin: NEAR, scrollMargin: NEAR },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return near
}

/**
 * A diagram in a reply. It is drawn when its code is complete and near the view, and lies over the code. The code is
 * shown until then, on request, and while somebody searches the chat, because a search finds only text.
 */
export function DiagramBlock({ text, children, ...frame }: Omit<FrameProps, 'text'> & { text: string }) {
  useLanguage()
  const growing = useContext(GrowingText)
  const finding = useFind(({ open }) => open)
  const [showsCode, setShowsCode] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const near = useNear(box)
  const { place, size, failure, retry } = useDrawing(text, near && !growing)
  const shown = size !== undefined && !showsCode && !finding
  return (
    <div ref={box}>
      <CodeFrame
        {...frame}
        text={text}
        drawing={{
          shown,
          buttons: size && (
            <Toggle
              on={!shown}
              press={() => setShowsCode(!showsCode)}
              hint={t`Show the code of this diagram`}
            >{t`Code`}</Toggle>
          ),
          content: (
            <>
              <DiagramFailure failure={failure} retry={retry} />
              <div ref={place} className={styles.place} data-shown={shown} />
            </>
          ),
        }}
      >
        {children}
      </CodeFrame>
    </div>
  )
}
