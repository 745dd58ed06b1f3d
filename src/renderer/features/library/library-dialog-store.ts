import { create } from 'zustand'

/** `conversationId` is absent for all of them. */
export type LibraryDialog = { readonly kind: 'export'; readonly conversationId?: string } | { readonly kind: 'import' | 'backup' | 'restore' }

export const useLibraryDialog = create<{ readonly dialog: LibraryDialog | undefined }>()(() => ({ dialog: undefined }))

export function openLibraryDialog(dialog: LibraryDialog): void {
  useLibraryDialog.setState({ dialog })
}

export function closeLibraryDialog(): void {
  useLibraryDialog.setState({ dialog: undefined })
}
