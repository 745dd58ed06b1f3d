import { Trans } from '@lingui/react/macro'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { bringsFiles, droppedItems } from '../../files/dropped-files.ts'
import { fileOfListed, isReadablePath, listFolders } from '../../files/list-folder.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { addDocuments } from './add-documents.ts'
import styles from './documents.module.css'

/** Takes files and folders that are dropped on it, or chosen with its buttons. */
export function DocumentDrop({ projectId, children }: { projectId: string; children: ReactNode }) {
  const [over, setOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const drag = (event: DragEvent) => {
    if (!bringsFiles(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    if (!bringsFiles(event)) return
    event.preventDefault()
    setOver(false)
    const dropped = droppedItems(event.dataTransfer)
    void addDocuments(projectId, dropped.files)
    if (dropped.folders.length > 0) void addFolders(projectId, dropped.folders)
  }
  return (
    <div
      className={classNames(styles.place, over && styles.over)}
      data-testid="document-place"
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={(event) => {
        const { relatedTarget: to } = event
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOver(false)
      }}
      onDrop={drop}
    >
      {children}
      <div className={styles.actions}>
        <Button onClick={() => files.current?.click()}>
          <Trans>Add files…</Trans>
        </Button>
        <Button onClick={() => folder.current?.click()}>
          <Trans>Add folder…</Trans>
        </Button>
        <span className={styles.hint}>
          <Trans>Or drop files and folders here.</Trans>
        </span>
      </div>
      <input
        ref={files}
        type="file"
        hidden
        multiple
        data-testid="document-files"
        onChange={({ target }) => {
          void addDocuments(projectId, [...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        data-testid="document-folder"
        onChange={({ target }) => {
          const listed = [...(target.files ?? [])]
            .filter(({ webkitRelativePath }) => isReadablePath(webkitRelativePath))
            .map((file) => new File([file], file.webkitRelativePath, { type: file.type }))
          void addDocuments(projectId, listed)
          target.value = ''
        }}
      />
    </div>
  )
}

/** Adds the files of dropped folders. Hidden and binary files, and folders that programs fill, are left out. */
async function addFolders(projectId: string, folders: readonly FileSystemDirectoryEntry[]): Promise<void> {
  const { signal } = new AbortController()
  const { files } = await listFolders(folders, { signal, onCount: () => undefined })
  const readable = files.filter(({ kind }) => kind === 'readable')
  const opened = await Promise.all(
    readable.map(async (listed) => ({ path: listed.path, file: await fileOfListed(listed) })),
  )
  await addDocuments(
    projectId,
    opened.flatMap(({ file }) => file ?? []),
    opened.flatMap(({ path, file }) => (file ? [] : [path])),
  )
}
