import { Trans } from '@lingui/react/macro'
import { useRef, useState, type DragEvent } from 'react'
import styles from './attachments.module.css'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { attachFiles } from './attached-store.ts'
import type { FolderDialogProps } from './folder-dialog.tsx'
import { bringsFiles, droppedItems } from '../../../files/dropped-files.ts'

const FolderDialog = lazyComponent<FolderDialogProps>(
  async () => (await import('./folder-dialog.tsx')).FolderDialog,
)

interface DroppedFolders extends Pick<FolderDialogProps, 'draft' | 'folders'> {
  /** Of this drop, so that another one gets a new dialog. */
  readonly number: number
}

/** Makes what has these handlers take files and folders that are dropped on it, and shows where they land. */
export function useFileDrop(draft: string) {
  const [over, setOver] = useState(false)
  const [dropped, setDropped] = useState<DroppedFolders>()
  // The browser reports entering a child before leaving its parent.
  const depth = useRef(0)
  const move = (by: number) => (event: DragEvent) => {
    if (!bringsFiles(event)) return
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  const handlers = {
    onDragEnter: move(1),
    onDragLeave: move(-1),
    onDragOver: (event: DragEvent) => {
      if (!bringsFiles(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      if (!bringsFiles(event)) return
      event.preventDefault()
      depth.current = 0
      setOver(false)
      const { files, folders } = droppedItems(event.dataTransfer)
      void attachFiles(draft, files)
      if (folders.length > 0) setDropped((before) => ({ draft, folders, number: (before?.number ?? 0) + 1 }))
    },
  }
  return {
    handlers,
    target: (
      <>
        {over && (
          <div className={styles.target} data-testid="drop-target">
            <p>
              <Trans>Drop files or folders to attach them</Trans>
            </p>
          </div>
        )}
        {dropped && (
          <FolderDialog
            key={dropped.number}
            draft={dropped.draft}
            folders={dropped.folders}
            onClose={() => setDropped(undefined)}
          />
        )}
      </>
    ),
  }
}
