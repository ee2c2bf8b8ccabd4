// Checked by `npm run typecheck`; nothing here runs. The types of our responses are assigned to the published types
// that code for the hosted API uses. Those describe what the browser client holds. So each test names the fields that
// REST responses lack or have in another form, and why; all other fields must fit.
import type * as hosted from '@veltdev/types'
import type { Api } from '../../../client/src/index.ts'

type Data<Operation> = Operation extends (...input: never[]) => Promise<infer Answer>
  ? Answer extends { data: infer Value }
    ? Value
    : never
  : never
/** One record of the list that an operation returns. */
type Item<Operation> = NonNullable<Extract<Data<Operation>, readonly unknown[]>[number]>
/** Compiles only if the response has the published type. */
type Satisfies<Answer extends Published, Published> = [Answer, Published]
/** The same but for these fields. */
type Except<Fields extends string, Answer extends Omit<Published, Fields>, Published> = [Fields, Answer, Published]

type ListedUser = Item<Api['users']['getUsers']>
// Contacts are returned as callers sent them.
export type UserTest = Except<'contacts', Omit<ListedUser, 'contacts'>, hosted.User>

// REST responses call the id `id`.
type Organization = Item<Api['organizations']['getOrganizations']>
export type OrganizationTest = Satisfies<{ organizationId: Organization['id'] }, hosted.OrganizationMetadata>

type Document = Item<Api['documents']['getDocuments']>
export type DocumentTest = Satisfies<Document & { documentId: Document['id'] }, hosted.DocumentMetadata>

// The type of a folder is published only as part of the response that holds folders.
type HostedFolder = NonNullable<hosted.FetchFoldersResponse['data']>[string]
export type FolderTest = Satisfies<Item<Api['folders']['getFolders']>, HostedFolder>

// Returned as callers sent it; the documentation asks them for the published shape.
type AsSent =
  | 'location'
  | 'context'
  | 'customList'
  | 'recorders'
  | 'toOrganizationUserGroup'
  | 'transcription'
  | 'recordingEditVersions'

type Thread = Item<Api['comments']['getCommentAnnotations']>
type HostedThread = hosted.CommentAnnotation
// `iam` and `commentCategories` belong to the browser client; the target is an element id or a text in REST.
export type ThreadTest = Except<
  AsSent | 'iam' | 'commentCategories' | 'targetElement' | 'comments' | 'status' | 'priority' | 'suggestion',
  Omit<Thread, AsSent | 'targetElement' | 'comments' | 'status' | 'priority' | 'suggestion'>,
  HostedThread
>
// Built-in statuses have a color, others the one that the caller gave.
export type StatusTest = Except<'color', Thread['status'], HostedThread['status']>
export type PriorityTest = Except<'color', NonNullable<Thread['priority']>, NonNullable<HostedThread['priority']>>

type Comment = Item<Api['comments']['getComments']>
type Tagged = Comment['taggedUserContacts'][number]
type HostedTagged = hosted.Comment['taggedUserContacts'][number]
// Times are numbers in REST; the browser client makes a Date of this one.
export type CommentTest = Except<
  AsSent | 'lastUpdated' | 'attachments' | 'taggedUserContacts',
  Omit<Comment, AsSent | 'lastUpdated' | 'attachments' | 'taggedUserContacts'>,
  hosted.Comment
>
export type TaggedTest = Except<'contact', Tagged, HostedTagged>
// A user may have no email address.
export type ContactTest = Except<'email', Tagged['contact'], NonNullable<HostedTagged['contact']>>

// `type` is the kind of the file in REST (image, video, …), a file format in the browser client.
type HostedAttachment = hosted.Comment['attachments'][number]
export type AttachmentTest = Except<'type', Omit<Comment['attachments'][number], 'type'>, HostedAttachment>

type Reaction = Item<Api['reactions']['getReactions']>
export type ReactionTest = Except<AsSent, Omit<Reaction, AsSent>, hosted.ReactionAnnotation>

type Recording = Item<Api['recordings']['getRecordings']>
// `attachment` is deprecated. A recording has an author if the caller named one. Enums are their values.
export type RecordingTest = Except<
  AsSent | 'attachment' | 'attachments' | 'from' | 'recordingType' | 'mode',
  Omit<Recording, AsSent | 'attachments' | 'from' | 'recordingType' | 'mode'>,
  hosted.RecorderAnnotation
>
export type RecordedByTest = Satisfies<NonNullable<Recording['from']>, hosted.User>
export type RecordingAttachmentTest = Except<'type', Omit<Recording['attachments'][number], 'type'>, HostedAttachment>
export type RecordingTypeTest = Satisfies<Recording['recordingType'], `${hosted.RecorderAnnotation['recordingType']}`>
export type ModeTest = Satisfies<Recording['mode'], `${hosted.RecorderAnnotation['mode']}`>

type Notification = Item<Api['notifications']['getNotifications']>
// The values of the placeholders are those that the caller sent, or those of the change.
type TemplateData = 'displayHeadlineMessageTemplateData'
export type NotificationTest = Except<
  TemplateData | 'metadata',
  Omit<Notification, TemplateData | 'metadata'>,
  hosted.Notification
>
type Metadata = Notification['metadata']
type HostedMetadata = NonNullable<hosted.Notification['metadata']>
export type MetadataTest = Except<'location', Omit<Metadata, 'location'>, HostedMetadata>

type Preference = Item<Api['notifications']['getUserNotificationConfig']>['config']
export type PreferenceTest = Satisfies<Required<Preference>, hosted.NotificationsDocConfig>

// The record of a comment or a reaction always has a target; only what callers add for others may lack it.
type Activity = Item<Api['activities']['getActivities']>
export type ActivityTest = Except<'targetEntityId', Activity, hosted.ActivityRecord>

// The response of a customer's permission provider can be signed.
type Signed = Parameters<Api['permissions']['generateSignature']>[0]['permissions'][number]
export type SignedTest = Satisfies<Omit<hosted.PermissionResult, 'type'>, Omit<Signed, 'type'>>
