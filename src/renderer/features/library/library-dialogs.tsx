import { useScopedState } from '../../data/use-answer.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { closeLibraryDialog, libraryDialog } from './library-dialog-store.ts'

interface LibraryDialogsProps {
  /** Conversations came in. */
  onTaken: () => void
}

const ExportDialog = lazyComponent(async () => (await import('./export-dialog.tsx')).ExportDialog)
const ImportDialog = lazyComponent(async () => (await import('./import-dialog.tsx')).ImportDialog)
const BackupDialog = lazyComponent(async () => (await import('./backup-dialog.tsx')).BackupDialog)
const RestoreDialog = lazyComponent(async () => (await import('./restore-dialog.tsx')).RestoreDialog)

/** The dialogs of the library. Each is loaded when it is first opened. */
export function LibraryDialogs({ onTaken }: LibraryDialogsProps) {
  const dialog = useScopedState(libraryDialog)
  return (
    <>
      {dialog?.kind === 'export' && (
        <ExportDialog conversationId={dialog.conversationId} close={closeLibraryDialog} />
      )}
      {dialog?.kind === 'import' && <ImportDialog onTaken={onTaken} close={closeLibraryDialog} />}
      {dialog?.kind === 'backup' && <BackupDialog close={closeLibraryDialog} />}
      {dialog?.kind === 'restore' && <RestoreDialog onTaken={onTaken} close={closeLibraryDialog} />}
    </>
  )
}
