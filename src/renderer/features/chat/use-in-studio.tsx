import { t } from '@lingui/core/macro'
import { Clapperboard } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Attachment } from '../../../shared/attachment.ts'
import { isPrivateOnly } from '../../../shared/conversation-tree.ts'
import type { Message } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { handToStudio } from '../../ui/jobs/job-input.ts'
import { Menu } from '../../ui/menu.tsx'
import { useChat } from './chat-store.ts'
import { spokenText } from './voice/spoken-text.ts'

/** Most characters of a prompt and of a spoken text, as in the studio. */
const MOST = { images: 100_000, speech: 200_000 } as const

/**
 * Passes a reply, or its selected part, to the studio as a prompt or as text to speak. Nothing leaves this computer.
 */
export function UseInStudio({ message }: { message: Message }) {
  const [selected, setSelected] = useState('')
  const place = useRef<HTMLSpanElement>(null)
  const hand = (part: 'images' | 'speech') => {
    const content = selected === '' ? plainWords(message.text) : selected
    handToStudio({
      part,
      text: content.slice(0, MOST[part]),
      from: privateOnly(message.conversationId) ? { conversationId: message.conversationId } : undefined,
    })
  }
  const whole = selected === ''
  return (
    <span ref={place}>
      <Menu
        label={t`Use in Studio`}
        sign={<Clapperboard size={15} strokeWidth={1.75} aria-hidden />}
        onOpen={() => setSelected(selectionWithin(place.current?.closest('article')))}
        items={[
          {
            name: whole ? t`Generate image from this reply` : t`Generate image from selection`,
            choose: () => hand('images'),
          },
          {
            name: whole ? t`Generate speech from this reply` : t`Generate speech from selection`,
            choose: () => hand('speech'),
          },
        ]}
      />
    </span>
  )
}

/** Passes a picture of a message to the studio, which can edit, upscale or cut it out. */
export function UsePictureInStudio({
  attachment: { id, name },
  conversationId,
}: {
  attachment: Attachment
  conversationId: string
}) {
  return (
    <Button
      onClick={() =>
        handToStudio({
          part: 'images',
          picture: { conversationId, attachmentId: id, name, privateOnly: privateOnly(conversationId) },
        })
      }
    >{t`Use in Studio`}</Button>
  )
}

function plainWords(markdown: string): string {
  const text = spokenText(markdown, false)
  return text === '' ? markdown : text
}

/** The selected text in the element; empty if the selection extends beyond it. */
function selectionWithin(element: Element | null | undefined): string {
  const selection = getSelection()
  if (
    !element ||
    !selection ||
    selection.isCollapsed ||
    !element.contains(selection.anchorNode) ||
    !element.contains(selection.focusNode)
  )
    return ''
  return selection.toString().trim()
}

function privateOnly(conversationId: string): boolean {
  const { conversations, threads } = useChat.getState()
  return isPrivateOnly(
    conversations?.find(({ id }) => id === conversationId),
    threads[conversationId]?.messages ?? [],
  )
}
