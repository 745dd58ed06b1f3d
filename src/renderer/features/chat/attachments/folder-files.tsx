import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { formatList } from '../../../ui/format/list.ts'
import styles from './folder-dialog.module.css'
import type { FolderListing, ListedFile, ListedKind } from '../../../files/list-folder.ts'

interface FolderFilesProps {
  listing: FolderListing
  /** Only files with these characters in their path are shown. */
  filter: string
  chosen: ReadonlySet<ListedFile>
  onChoose: (chosen: ReadonlySet<ListedFile>) => void
}

/** Of skipped folders, as many as a person would read. */
const MAX_NAMED_FOLDERS = 8

/** The files of a folder by kind, each with a box. Hidden and binary files are named and can be chosen too. */
export function FolderFiles({ listing, filter, chosen, onChoose }: FolderFilesProps) {
  const { files, skippedFolders } = listing
  const wanted = filter.trim().toLocaleLowerCase()
  const shown = files.filter(({ path }) => path.toLocaleLowerCase().includes(wanted))
  const group = (title: string, kind: ListedKind) => (
    <FileGroup
      title={title}
      files={shown.filter((file) => file.kind === kind)}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
  const more = skippedFolders.length - MAX_NAMED_FOLDERS
  const names = formatList([
    ...skippedFolders.slice(0, MAX_NAMED_FOLDERS),
    ...(more > 0 ? [t`${more} others`] : []),
  ])
  return (
    <>
      <div className={styles.files} tabIndex={0} role="group" aria-label={t`Files to attach`}>
        {group(t`Files`, 'readable')}
        {group(t`Hidden files`, 'hidden')}
        {group(t`Binary files`, 'binary')}
        {shown.length === 0 && (
          <p>{files.length === 0 ? <Trans>No files</Trans> : <Trans>No matches</Trans>}</p>
        )}
      </div>
      {skippedFolders.length > 0 && (
        <p className={styles.note}>
          <Trans>Skipped folders: {names}</Trans>
        </p>
      )}
    </>
  )
}

interface FileGroupProps extends Pick<FolderFilesProps, 'chosen' | 'onChoose'> {
  title: string
  files: readonly ListedFile[]
}

function FileGroup({ title, files, chosen, onChoose }: FileGroupProps) {
  const id = useId()
  if (files.length === 0) return null
  const selected = files.filter((file) => chosen.has(file)).length
  const toggle = (some: readonly ListedFile[], add: boolean) => {
    const next = new Set(chosen)
    for (const file of some)
      if (add) next.add(file)
      else next.delete(file)
    onChoose(next)
  }
  return (
    <fieldset className={styles.group}>
      <legend>
        <label className={styles.file}>
          <input
            type="checkbox"
            ref={(box) => {
              if (box) box.indeterminate = selected > 0 && selected < files.length
            }}
            checked={selected === files.length}
            onChange={({ target }) => toggle(files, target.checked)}
          />
          {title} ({files.length})
        </label>
      </legend>
      {files.map((file, at) => (
        <label key={`${file.path}-${String(at)}`} className={styles.file} htmlFor={`${id}-${String(at)}`}>
          <input
            id={`${id}-${String(at)}`}
            type="checkbox"
            checked={chosen.has(file)}
            onChange={({ target }) => toggle([file], target.checked)}
          />
          <bdi className={styles.path}>{file.path}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
