import { useEffect } from 'react'
import type { Model } from '../../../shared/model.ts'
import { NEW, pickModel, useChat } from './chat-store.ts'
import { isChat } from './choose-model.ts'

/**
 * In the small window of the desktop app, a new chat begins with a private model, whatever was used last. The person can choose
 * another one, and then sees who can read the chat.
 */
export function usePrivateModelFirst(): void {
  const model = useChat(({ models }) => firstPrivateModel(models)?.id)
  useEffect(() => {
    if (isQuickEntry() && model !== undefined && useChat.getState().picked[NEW] === undefined)
      pickModel(NEW, model)
  }, [model])
}

/** Whether this page is the small window that the desktop app's shortcut opens. */
function isQuickEntry(): boolean {
  return window.desktop?.quick === true
}

function firstPrivateModel(models: readonly Model[] | undefined): Model | undefined {
  return models?.find((model) => model.private && isChat(model))
}
