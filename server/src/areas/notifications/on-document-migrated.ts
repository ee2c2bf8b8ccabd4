import { movesWithDocument } from '../documents/moves-with-document.ts'

/** Moves the notifications of a document, and the preferences for it, to its new id. */
export const moveNotificationsOfDocument = movesWithDocument('notification', 'notification_preference')
