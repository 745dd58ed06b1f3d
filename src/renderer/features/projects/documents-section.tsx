import { plural, t } from '@lingui/core/macro'
import { FileText, FileType, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { KnowledgeDocument } from '../../../shared/knowledge.ts'
import { pageRanges } from '../../files/reading-words.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatBytes } from '../../ui/format/number.ts'
import { isolate } from '../../ui/language/language.ts'
import { Moment } from '../../ui/moment.tsx'
import { loadDocuments, removeDocument, useProjectDocuments } from '../../ui/project-documents.ts'
import { Section } from '../../ui/view.tsx'
import { useAdditions } from './add-documents.ts'
import { AddedFiles } from './added-files.tsx'
import { DocumentDrop } from './document-drop.tsx'
import styles from './documents.module.css'

/** The documents of a project, and the place where files are added. */
export function DocumentsSection({ projectId }: { projectId: string }) {
  const documents = useProjectDocuments((state) => state.documents[projectId])
  const failure = useProjectDocuments((state) => state.failure)
  const [removing, setRemoving] = useState<KnowledgeDocument>()
  useEffect(() => void loadDocuments(projectId), [projectId])
  return (
    <Section
      title={t`Files`}
      description={t`Sotto searches the project’s files on this computer. A question includes only the passages that you see before you send it.`}
    >
      <DocumentDrop projectId={projectId}>
        {failure && <FailureNote failure={failure} onRetry={() => void loadDocuments(projectId)} />}
        {documents?.length === 0 && <EmptyState compact title={t`No files yet`} />}
        <ul className={styles.list} aria-label={t`Files of this project`}>
          {documents?.map((document) => (
            <DocumentRow key={document.id} document={document} onRemove={() => setRemoving(document)} />
          ))}
        </ul>
        <AddedFiles projectId={projectId} />
      </DocumentDrop>
      {removing && <RemoveDialog document={removing} close={() => setRemoving(undefined)} />}
    </Section>
  )
}

function DocumentRow({ document, onRemove }: { document: KnowledgeDocument; onRemove: () => void }) {
  const { id, name, pages, bytes, passages, createdAt } = document
  const empty = useAdditions(({ notes }) => notes[id]?.pagesWithoutText)
  const Sign = pages === undefined ? FileText : FileType
  const ranges = pageRanges(empty ?? [])
  const facts = [
    kindOf(document),
    ...(pages === undefined ? [] : [plural(pages, { one: '# page', other: '# pages' })]),
    plural(passages, { one: '# passage', other: '# passages' }),
    formatBytes(bytes),
  ]
  return (
    <li className={styles.row}>
      <Sign size={16} strokeWidth={1.75} aria-hidden />
      <div className={styles.words}>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <span className={styles.facts}>
          {facts.map(isolate).join(' · ')} · <Moment at={createdAt} />
        </span>
        {empty && (
          <span className={styles.facts}>
            {plural(empty.length, {
              one: `No text found on page ${ranges}`,
              other: `No text found on pages ${ranges}`,
            })}
          </span>
        )}
      </div>
      <IconButton label={t`Remove ${name}`} onClick={onRemove}>
        <X size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}

function kindOf({ name, pages }: KnowledgeDocument): string {
  if (pages !== undefined) return t`PDF`
  return /\.(\w{1,8})$/.exec(name)?.[1]?.toUpperCase() ?? t`Text`
}

function RemoveDialog({ document, close }: { document: KnowledgeDocument; close: () => void }) {
  const { name } = document
  return (
    <ConfirmDialog
      title={t`Remove ${name}?`}
      description={t`Sotto deletes its copy of the text. Chats keep the passages that they sent.`}
      kind="danger"
      button={t`Remove`}
      busy={t`Removing…`}
      act={() => removeDocument(document)}
      onClose={close}
    />
  )
}
