import type { AnswerEnd, Citation, ToolCall, UnshownPart } from '../../shared/answer-parts.ts'
import type { Attachment, Draft } from '../../shared/attachment.ts'
import type { ChatParameters, Conversation, Message } from '../../shared/conversation.ts'
import type { Folder, Prompt } from '../../shared/prompt.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'
import type { Removal } from './removals.ts'

/** Absent members stay as they are. */
export interface MessagePatch {
  text?: string
  reasoning?: string
  citations?: Citation[]
  toolCalls?: ToolCall[]
  unshown?: UnshownPart[]
  end?: AnswerEnd
  state?: Message['state']
  receiptId?: string
  privacy?: Exclude<Message['privacy'], undefined>
  errorCode?: string
  errorDetail?: LocalizedText
}

/** Absent members stay as they are; null, false and what is empty take away. */
export interface ConversationPatch {
  leafId?: string | null | undefined
  pinned?: boolean | undefined
  folderId?: string | null | undefined
  systemPrompt?: string | undefined
  parameters?: ChatParameters | undefined
}

/** Conversations with their messages, and what stands beside them: prompts, folders, attachments and drafts. Throws as Store does. */
export interface ConversationStore {
  readonly conversations: {
    /** The last touched first. One that does not open is among them, as `damaged`. */
    list(): Conversation[]
    /** As get; one that does not open is `damaged`. */
    readable(id: string): Conversation | null
    get(id: string): Conversation | null
    create(
      conversation: Pick<
        Conversation,
        'model' | 'private' | 'title' | 'systemPrompt' | 'parameters' | 'imported' | 'folderId'
      >,
    ): Conversation
    /** Throws `conversation/unknown`. */
    change(id: string, patch: ConversationPatch): Conversation
    /** Throws `conversation/unknown`. */
    rename(id: string, title: string): Conversation
    /** Sets `updatedAt` to now. Throws `conversation/unknown`. */
    touch(id: string, patch?: ConversationPatch): Conversation
    /** As it is, under its own id, which nothing has yet. */
    insert(conversation: Conversation): void
    /** With its messages; false where there is none. */
    remove(id: string): boolean
  }
  readonly messages: {
    /** In the order in which they were added, of every branch; what is hidden is left out. */
    of(conversationId: string): Message[]
    /** As of; in the place of one that does not open stands one that is `damaged`. */
    readable(conversationId: string): Message[]
    get(id: string): Message | null
    /** Now, unless it is said when. Throws `conversation/unknown`. */
    add(message: Omit<Message, 'id' | 'createdAt'> & { createdAt?: number }): Message
    /** As it is, under its own id, which nothing has yet, in a conversation that is there. */
    insert(message: Message): void
    /** Throws `conversation/unknown` where the message went with its conversation. */
    update(id: string, patch: MessagePatch): Message
  }
  readonly changes: {
    /**
     * What was added, changed or removed since it was last asked, in no order; null the first time, and where that is not
     * known: then everything may have.
     */
    take(): { kind: 'conversation' | 'message'; id: string }[] | null
  }
  /** What was removed and may be taken back: no list and no look has it. What is still hidden at the next opening is deleted then. */
  readonly removals: {
    /** False where there is nothing to hide. */
    hide(removal: Removal): boolean
    /** False where it is not hidden. */
    takeBack(removal: Removal): boolean
    /** Deletes what is hidden; nothing where it is not. */
    finish(removal: Removal): void
  }
  /** The prompt library, in the order in which they were added. */
  readonly prompts: {
    list(): Prompt[]
    get(id: string): Prompt | null
    /** In place of the one with this id; where none is said, another one. */
    put(prompt: Omit<Prompt, 'id' | 'updatedAt'> & { id?: string }): Prompt
    remove(id: string): boolean
  }
  /** In the order in which they were added. What is in one stands in the conversations. */
  readonly folders: {
    list(): Folder[]
    put(folder: Omit<Folder, 'id'> & { id?: string }): Folder
    remove(id: string): boolean
  }
  /**
   * What was attached, sealed in files. Each stays as long as a message or a draft has it; one that neither has is gone at the
   * next opening.
   */
  readonly attachments: {
    /** Returns once it outlives the machine's power. */
    add(about: Omit<Attachment, 'id' | 'bytes'>, content: Uint8Array): Promise<Attachment>
    /** As it is, under its own id, which nothing has yet. */
    insert(attachment: Attachment, content: Uint8Array): Promise<void>
    get(id: string): Attachment | null
    /** Null where there is none. */
    read(id: string): Promise<Uint8Array | null>
    /** False where it is not there, or a message or a draft has it. */
    removeUnused(id: string): Promise<boolean>
  }
  /** What was written and attached, and not sent, by conversation; `new` is the one that has not begun. */
  readonly drafts: {
    /** The last saved first. One that cannot be opened is left out, and stays until it is written over. */
    list(): Draft[]
    /** Of its attachments, those that are here. One that says nothing is removed. */
    save(draft: Draft): void
  }
}
