import type { Message } from './conversation.ts'
import { isPrivateModel } from './privacy.ts'

type Node = Pick<Message, 'id' | 'parentId'>

/** The messages of a conversation as what they are: a tree, of which one branch is shown. */
export interface ConversationTree<M extends Node> {
  get(id: string): M | undefined
  /** Null at the beginning. */
  parentOf(id: string): string | null
  /** The first one written first. */
  childrenOf(id: string | null): readonly M[]
}

/**
 * Builds the tree of messages in the order of their creation. A parent always comes before its children, so
 * that there is no cycle. If a parent is missing or unknown, the previous message is the parent.
 */
export function treeOf<M extends Node>(messages: readonly M[]): ConversationTree<M> {
  const known = new Map<string, M>()
  const parents = new Map<string, string | null>()
  const children = new Map<string | null, M[]>()
  let before: string | null = null
  for (const message of messages) {
    const { id, parentId } = message
    const parent: string | null =
      parentId === null || (parentId !== undefined && known.has(parentId)) ? parentId : before
    known.set(id, message)
    parents.set(id, parent)
    const siblings = children.get(parent)
    if (siblings) siblings.push(message)
    else children.set(parent, [message])
    before = id
  }
  return {
    get: (id) => known.get(id),
    parentOf: (id) => parents.get(id) ?? null,
    childrenOf: (id) => children.get(id) ?? [],
  }
}

/** The messages from the beginning to this one; empty if it's null or unknown. */
export function pathTo<M extends Node>(tree: ConversationTree<M>, id: string | null): M[] {
  const path: M[] = []
  for (let at = id; at !== null; at = tree.parentOf(at)) {
    const message = tree.get(at)
    if (message) path.push(message)
  }
  return path.reverse()
}

/** The end of the branch that goes on from here, by the message written last at each fork. */
function leafFrom<M extends Node>(tree: ConversationTree<M>, id: string | null): string | null {
  let at = id
  for (let next = tree.childrenOf(at).at(-1); next; next = tree.childrenOf(at).at(-1)) at = next.id
  return at
}

/** The branch that is shown: the one that goes through this message, or the one written last. */
export function shownPath<M extends Node>(
  tree: ConversationTree<M>,
  messages: readonly M[],
  leafId: string | undefined,
): M[] {
  if (leafId !== undefined && tree.get(leafId)) return pathTo(tree, leafFrom(tree, leafId))
  return pathTo(tree, messages.at(-1)?.id ?? null)
}

/** The message and all that follows it, on every branch. */
export function subtreeOf<M extends Node>(tree: ConversationTree<M>, id: string): ReadonlySet<string> {
  const found = new Set([id])
  for (const at of found) for (const child of tree.childrenOf(at)) found.add(child.id)
  return found
}

/** One visible message, and its position among its siblings. */
export interface ShownMessage {
  readonly message: Message
  /** From 0. */
  readonly at: number
  readonly of: number
}

/**
 * The visible messages of a conversation. Call it once for each change of the messages, never for each
 * token.
 */
export function shownThread(
  messages: readonly Message[],
  leafId: string | undefined,
): readonly ShownMessage[] {
  const tree = treeOf(messages)
  return shownPath(tree, messages, leafId).map((message) => {
    const siblings = tree.childrenOf(tree.parentOf(message.id))
    return { message, at: siblings.indexOf(message), of: siblings.length }
  })
}

/**
 * Whether the conversation began privately, or continued with a private model on any branch: its messages
 * for an enclave must not be readable by others. An unreadable message may have been private.
 */
export function isPrivateOnly(
  conversation: { readonly private: boolean } | undefined,
  messages: readonly Pick<Message, 'model' | 'damaged'>[],
): boolean {
  return (
    conversation?.private === true ||
    messages.some(({ model, damaged }) => damaged === true || (model !== undefined && isPrivateModel(model)))
  )
}
