import type { DragEvent } from 'react'
import { create } from 'zustand'
import { currentRoute } from '../../ui/route.ts'
import { told } from './branches.ts'
import { NEW, useChat } from './chat-store.ts'
import { moveConversation } from './folder-store.ts'

/** Of this window alone: what another program drags is never of this type, and another tab's conversation is not moved by it. */
const TYPE = 'application/x-sotto-conversation'

/** Outside of all folders. */
export const OUTSIDE = ''

const useDrag = create<{ readonly dragged: string | undefined; readonly over: string | undefined }>()(() => ({
  dragged: undefined,
  over: undefined,
}))

/** What is put on the row of a conversation. */
export function draggable(conversationId: string) {
  return {
    draggable: true,
    onDragStart({ dataTransfer }: DragEvent) {
      // A dragged link would leave its address wherever it is let go.
      dataTransfer.clearData()
      dataTransfer.setData(TYPE, '')
      dataTransfer.effectAllowed = 'move'
      useDrag.setState({ dragged: conversationId })
    },
    onDragEnd: () => useDrag.setState({ dragged: undefined, over: undefined }),
  }
}

/** What is put on every row onto which it can be let go. @param folderId the folder that it stands for, or OUTSIDE */
export function droppable(folderId: string) {
  return {
    onDragOver(event: DragEvent) {
      if (useDrag.getState().dragged === undefined) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      if (useDrag.getState().over !== folderId) useDrag.setState({ over: folderId })
    },
    onDrop(event: DragEvent) {
      const { dragged } = useDrag.getState()
      useDrag.setState({ dragged: undefined, over: undefined })
      if (dragged === undefined) return
      event.preventDefault()
      const from = useChat.getState().conversations?.find(({ id }) => id === dragged)?.folderId ?? OUTSIDE
      if (from !== folderId)
        void told(currentRoute().conversationId ?? NEW, () =>
          moveConversation(dragged, folderId === OUTSIDE ? null : folderId),
        )
    },
  }
}

export function useDropTarget(folderId: string): boolean {
  return useDrag(({ over }) => over === folderId)
}
