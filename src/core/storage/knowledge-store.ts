import type { KnowledgeDocument, Passage } from '../../shared/knowledge.ts'

/** A passage of a document, without the members that its document and its number give it. */
export interface StoredPassage extends Pick<Passage, 'place' | 'text' | 'tokens'> {
  /** From 0, in the order of the document. */
  readonly number: number
}

/** The documents of projects. Throws as Store does. */
export interface KnowledgeStore {
  readonly knowledge: {
    /** The complete documents of a project, in the order of addition. One that can't be decrypted isn't listed. */
    documents(projectId: string): KnowledgeDocument[]
    /** Returns null if it doesn't exist or isn't complete. */
    document(id: string): KnowledgeDocument | null
    /**
     * Begins a document, which exists once it's finished. The next start deletes one that wasn't.
     * @returns its id
     */
    begin(document: Pick<KnowledgeDocument, 'projectId' | 'name' | 'bytes' | 'pages'>): string
    /** Adds a complete document, all or nothing. Returns false if its id exists. */
    insert(document: KnowledgeDocument, passages: readonly StoredPassage[]): boolean
    /** Adds passages, all or none. Returns false if the document was removed. */
    put(documentId: string, passages: readonly StoredPassage[]): boolean
    /** Returns null if the document was removed. */
    finish(documentId: string, passages: number): KnowledgeDocument | null
    /** Returns false if it doesn't exist. */
    remove(id: string): boolean
    /** Removes all documents of a project, also those that can't be decrypted. Returns how many. */
    removeProject(projectId: string): number
    /** Passages of a document, complete or not, in their order. */
    passages(documentId: string, range: { readonly from: number; readonly limit: number }): StoredPassage[]
  }
}
