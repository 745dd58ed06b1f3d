import { Trans } from '@lingui/react/macro'
import { useRef, useState, type DragEvent } from 'react'
import styles from './attachments.module.css'
import { attachFiles } from './attached-store.ts'
import { bringsFiles } from './given-files.ts'

/** Handlers that make an element accept dropped files, and whether files are dragged over it. */
export function useFileDrop(draft: string) {
  const [over, setOver] = useState(false)
  // The browser reports entering a child before leaving its parent.
  const depth = useRef(0)
  const move = (by: number) => (event: DragEvent) => {
    if (!bringsFiles(event.dataTransfer)) return
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  const handlers = {
    onDragEnter: move(1),
    onDragLeave: move(-1),
    onDragOver: (event: DragEvent) => {
      if (!bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      if (!bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      depth.current = 0
      setOver(false)
      void attachFiles(draft, [...event.dataTransfer.files])
    },
  }
  return {
    handlers,
    target: over ? (
      <div className={styles.target} data-testid="drop-target">
        <p>
          <Trans>Drop files to attach them</Trans>
        </p>
      </div>
    ) : null,
  }
}
