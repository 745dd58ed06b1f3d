import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { formatClauses } from '../../../ui/format/list.ts'
import { attachFiles, freeAttachments, reportUnreadable } from './attached-store.ts'
import styles from './folder-dialog.module.css'
import { FolderFiles } from './folder-files.tsx'
import {
  fileOfListed,
  listFolders,
  MAX_LISTED_FILES,
  type FolderListing,
  type ListedFile,
} from '../../../files/list-folder.ts'

export interface FolderDialogProps {
  draft: string
  folders: readonly FileSystemDirectoryEntry[]
  onClose: () => void
}

/** Counts the files of dropped folders by their names, and asks which ones to attach. Only those are read. */
export function FolderDialog({ draft, folders, onClose }: FolderDialogProps) {
  const { listing, count, stop } = useListing(folders)
  const names = formatClauses(folders.map(({ name }) => name))
  return (
    <Dialog
      open
      persistent
      wide
      onClose={onClose}
      title={t`Attach files from ${names}?`}
      says={t`Sotto has read only the file names. It reads the files that you attach.`}
    >
      {listing ? (
        <FileChoice draft={draft} listing={listing} onClose={onClose} />
      ) : (
        <>
          <p role="status">{plural(count, { one: 'Counting… # file', other: 'Counting… # files' })}</p>
          <DialogActions>
            <Button onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button onClick={stop}>
              <Trans>Stop counting</Trans>
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function useListing(folders: readonly FileSystemDirectoryEntry[]) {
  const [listing, setListing] = useState<FolderListing>()
  const [count, setCount] = useState(0)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => {
    let left = false
    const current = new AbortController()
    controller.current = current
    void listFolders(folders, { signal: current.signal, onCount: setCount }).then((found) => {
      if (!left) setListing(found)
    })
    return () => {
      left = true
      current.abort()
    }
  }, [folders])
  return { listing, count, stop: () => controller.current?.abort() }
}

function FileChoice({
  draft,
  listing,
  onClose,
}: Pick<FolderDialogProps, 'draft' | 'onClose'> & { listing: FolderListing }) {
  const { files, complete } = listing
  const free = freeAttachments(draft)
  const readable = files.filter(({ kind }) => kind === 'readable')
  // A selection of some of them would be a guess.
  const [chosen, setChosen] = useState<ReadonlySet<ListedFile>>(
    () => new Set(readable.length <= free ? readable : []),
  )
  const [filter, setFilter] = useState('')
  const attach = () => {
    onClose()
    void attachListed(
      draft,
      files.filter((file) => chosen.has(file)),
    )
  }
  const tooMany = chosen.size > free
  return (
    <Form
      className={styles.form}
      onSubmit={() => {
        if (chosen.size > 0 && !tooMany) attach()
      }}
    >
      <p>
        {plural(files.length, { one: 'Found # file.', other: 'Found # files.' })}{' '}
        {plural(free, { one: 'You can attach # more file.', other: 'You can attach up to # files.' })}{' '}
        {!complete &&
          (files.length >= MAX_LISTED_FILES
            ? t`Only the first ${MAX_LISTED_FILES} are listed.`
            : t`Not all files are listed.`)}
      </p>
      {files.length > free && (
        <Field
          label={t`Filter`}
          type="search"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      <FolderFiles listing={listing} filter={filter} chosen={chosen} onChoose={setChosen} />
      <p role="status" className={tooMany ? styles.fault : undefined}>
        {tooMany
          ? plural(free, { one: 'Select at most # file.', other: 'Select at most # files.' })
          : plural(chosen.size, { one: '# file selected', other: '# files selected' })}
      </p>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" type="submit" disabled={chosen.size === 0 || tooMany}>
          <Trans>Attach files</Trans>
        </Button>
      </DialogActions>
    </Form>
  )
}

/** Files that can't be opened are reported by name, after the others. */
async function attachListed(draft: string, listed: FolderListing['files']): Promise<void> {
  const opened = await Promise.all(
    listed.map(async (file) => ({ path: file.path, file: await fileOfListed(file) })),
  )
  reportUnreadable(
    draft,
    opened.flatMap(({ path, file }) => (file ? [] : [path])),
  )
  await attachFiles(
    draft,
    opened.flatMap(({ file }) => file ?? []),
  )
}
