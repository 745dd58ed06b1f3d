import { t } from '@lingui/core/macro'
import { useId, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { sidebarWidths } from '../../../shared/window-preferences.ts'
import { usePreferences } from '../preferences.ts'
import styles from './sidebar-pane.module.css'
import { saveSidebarWidth, showSidebarWidth, widthAfterDrag, widthAfterKey } from './sidebar-width.ts'

/** The sidebar of a wide window, whose edge changes its width. */
export function SidebarPane({ children }: { children: ReactNode }) {
  const id = useId()
  const width = usePreferences((state) => state.sidebarWidth)
  return (
    <aside id={id} className={styles.pane} style={{ width }} aria-label={t`Sidebar`}>
      {children}
      <Edge pane={id} width={width} />
    </aside>
  )
}

interface Drag {
  /** Of the pointer. */
  readonly from: number
  /** Of the sidebar. */
  readonly width: number
}

function Edge({ pane, width }: { pane: string; width: number }) {
  const [drag, setDrag] = useState<Drag>()
  const start = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ from: event.clientX, width })
  }
  const move = ({ clientX, currentTarget }: PointerEvent<HTMLDivElement>) => {
    if (!drag) return
    const by = (clientX - drag.from) * (isMirrored(currentTarget) ? -1 : 1)
    showSidebarWidth(widthAfterDrag(drag.width, by))
  }
  const end = () => {
    if (drag) saveSidebarWidth(width)
    setDrag(undefined)
  }
  const pressed = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = widthAfterKey(width, event.key, isMirrored(event.currentTarget))
    if (next === undefined) return
    event.preventDefault()
    saveSidebarWidth(next)
  }
  return (
    <div
      className={styles.edge}
      role="separator"
      tabIndex={0}
      aria-label={t`Sidebar width`}
      aria-orientation="vertical"
      aria-controls={pane}
      aria-valuenow={width}
      aria-valuemin={sidebarWidths.least}
      aria-valuemax={sidebarWidths.most}
      data-dragging={drag !== undefined}
      onPointerDown={start}
      onPointerMove={move}
      // The browser also ends the capture when the pointer is canceled.
      onLostPointerCapture={end}
      onKeyDown={pressed}
      onDoubleClick={() => saveSidebarWidth(sidebarWidths.initial)}
    />
  )
}

function isMirrored(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl'
}
