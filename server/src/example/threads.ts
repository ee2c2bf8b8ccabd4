import { DAY_MS } from '../platform/date-range.ts'

const REJECTED = { id: 'REJECTED', name: 'Rejected', type: 'terminal' }
const APPROVED = { id: 'APPROVED', name: 'Approved', type: 'terminal' }
const RESOLVED = { id: 'RESOLVED' }
const IN_PROGRESS = { id: 'IN_PROGRESS' }
const HIGH = { id: 'high', name: 'High' }
const TEST_RIDE = {
  targetId: 'test-ride-button',
  summary: 'Name the button "Book a test ride"',
  oldValue: 'Click here',
  newValue: 'Book a test ride',
}
const FREEZE = { targetId: 'pause-button', oldValue: 'Pause my subscription', newValue: 'Freeze' }

interface Thread {
  annotationId: string
  daysAgo: number
  /** The part of the document. */
  at: string
  /** Who said what. `{{owen}}` mentions Owen. */
  said: [userId: string, text: string, groupId?: string][]
  /** Further fields of the thread. */
  has?: object
}

/** The threads of the example, by document. */
export const THREADS: Record<string, Thread[]> = {
  'home-page': [
    {
      annotationId: 'claim-fastest',
      daysAgo: 6,
      at: 'Headline',
      said: [
        ['iris', 'New headline: "The fastest bikes in town". Can it go out on Monday?'],
        ['nadia', '"Fastest" needs a source, {{iris}}. Do we have a test?'],
        ['iris', 'No test. It came from the sales team.'],
        ['nadia', 'Then it cannot stay: a claim without a source. "A bike that is repaired for you" was fine.'],
      ],
    },
    {
      annotationId: 'price-table',
      daysAgo: 3,
      at: 'Prices',
      said: [
        ['tomas', 'The picture of the price table has no alt text, {{owen}}. The prices stand nowhere else.'],
        ['owen', 'I will make it a real table, with the alt text on the bikes only.'],
      ],
      has: { status: IN_PROGRESS, priority: HIGH, assignedTo: { userId: 'owen' } },
    },
    {
      annotationId: 'snow-photo',
      daysAgo: 9,
      at: 'Headline',
      said: [
        ['owen', 'White text on the photo of snow, now with a dark band behind it. Is the contrast enough?'],
        ['tomas', 'The contrast is 8 to 1 with the band, whatever the photo shows. Good.'],
      ],
    },
    {
      annotationId: 'click-here',
      daysAgo: 4,
      at: 'Test ride',
      said: [['nadia', 'A button says what happens next: a verb and its object.']],
      has: {
        suggestion: TEST_RIDE,
      },
    },
  ],
  checkout: [
    {
      annotationId: 'tax-last-step',
      daysAgo: 2,
      at: 'Sum',
      said: [
        [
          'june',
          'The tax is added in the last step. The full price must stand from the first step on. @Designers',
          'designers',
        ],
        ['owen', 'The price list has it without taxes. Iris, can you send me the full ones?'],
      ],
      has: { priority: HIGH, assignedTo: { userId: 'owen' } },
    },
    {
      annotationId: 'error-4012',
      daysAgo: 1,
      at: 'Payment',
      said: [['iris', 'Nobody knows what a tokenization failure is. This says what happened and what to do.']],
      has: {
        suggestion: {
          targetId: 'payment-error',
          summary: 'Say what happened and what to do',
          oldValue: 'Error 4012: tokenization failure',
          newValue: 'Your bank did not answer. Nothing was charged. Please try again.',
        },
      },
    },
    {
      annotationId: 'pay-button',
      daysAgo: 5,
      at: 'Payment',
      said: [
        ['owen', 'The last button is now "Pay 39 euros" in place of "Submit".'],
        ['nadia', 'The button says what happens, with the sum.'],
      ],
    },
    {
      annotationId: 'newsletter-box',
      daysAgo: 8,
      at: 'Contact',
      said: [
        ['june', 'The box for the newsletter is ticked already. Consent must be given: it starts empty.'],
        ['owen', 'Done, it starts empty.'],
        ['june', 'Thank you. It is right now.'],
      ],
    },
  ],
  'help-page': [
    {
      annotationId: 'signed-letter',
      daysAgo: 1,
      at: 'Cancel',
      said: [
        ['june', 'The page still asks for a signed letter. Whoever subscribes in two clicks can cancel in two.'],
        ['iris', 'I have written it anew. {{nadia}}, can you look at the tone?'],
      ],
      has: { assignedTo: { userId: 'nadia' } },
    },
    {
      annotationId: 'freeze',
      daysAgo: 7,
      at: 'Pause',
      said: [
        ['owen', '"Freeze" is shorter than "Pause my subscription".'],
        ['june', 'Shorter, but nobody knows what it does. The button should say what happens.'],
      ],
      has: { suggestion: FREEZE },
    },
  ],
  newsletter: [
    {
      annotationId: 'subject-line',
      daysAgo: 5,
      at: 'Subject',
      said: [
        ['iris', 'Subject line: "LAST CHANCE!!! Spring bikes are almost gone!!!"'],
        ['nadia', 'Shouting and pressure are not our tone. One calm sentence is enough.'],
      ],
    },
    {
      annotationId: 'family-photo',
      daysAgo: 6,
      at: 'Picture',
      said: [
        ['tomas', 'The alt text of the family on the cargo bikes is missing.'],
        ['owen', 'It is now "Two children ride in the box of a cargo bike".'],
        ['tomas', 'Good: one sentence that says what can be seen.'],
      ],
    },
    {
      annotationId: 'offer-end',
      daysAgo: 1,
      at: 'Offer',
      said: [['june', 'Until when does the offer hold, {{iris}}? The condition belongs into the sentence.']],
    },
  ],
  poster: [
    {
      annotationId: 'guarantee',
      daysAgo: 2,
      at: 'Bottom line',
      said: [
        ['june', '"Lifetime guarantee" promises too much. We guarantee the frame for ten years.'],
        ['owen', 'The printer needs the file on Friday. I will change the line today.'],
      ],
      has: { status: IN_PROGRESS, assignedTo: { userId: 'owen' } },
    },
  ],
}

/** What becomes of some threads: each is decided by whom the line names, and so is a judgment of the memory. */
export const DECISIONS = [
  { documentId: 'newsletter', annotationId: 'family-photo', userId: 'tomas', updatedData: { status: RESOLVED } },
  { documentId: 'checkout', annotationId: 'newsletter-box', userId: 'june', updatedData: { status: RESOLVED } },
  { documentId: 'home-page', annotationId: 'snow-photo', userId: 'tomas', updatedData: { status: APPROVED } },
  {
    documentId: 'help-page',
    annotationId: 'freeze',
    userId: 'june',
    updatedData: { suggestion: { ...FREEZE, status: 'rejected' }, status: RESOLVED },
  },
  {
    documentId: 'home-page',
    annotationId: 'click-here',
    userId: 'iris',
    updatedData: { suggestion: { ...TEST_RIDE, status: 'accepted' }, status: RESOLVED },
  },
  { documentId: 'newsletter', annotationId: 'subject-line', userId: 'nadia', updatedData: { status: REJECTED } },
  { documentId: 'checkout', annotationId: 'pay-button', userId: 'nadia', updatedData: { status: APPROVED } },
  { documentId: 'home-page', annotationId: 'claim-fastest', userId: 'nadia', updatedData: { status: REJECTED } },
]

export const REACTIONS = [
  { documentId: 'home-page', annotationId: 'price-table', commentId: 2, icon: '👍', userId: 'tomas' },
  { documentId: 'checkout', annotationId: 'pay-button', commentId: 1, icon: '🎉', userId: 'iris' },
]

const HOUR_MS = 3_600_000

/** A thread of the example as `commentannotations/add` takes it. */
export function threadUntil(now: number, { annotationId, daysAgo, at, said, has }: Thread) {
  const createdAt = now - daysAgo * DAY_MS
  return {
    annotationId,
    createdAt,
    location: { id: at.toLowerCase().replaceAll(' ', '-'), locationName: at },
    commentData: said.map(([userId, commentText, groupId], index) => ({
      commentId: index + 1,
      commentText,
      from: { userId },
      createdAt: createdAt + index * HOUR_MS,
      ...(groupId !== undefined && { toOrganizationUserGroup: [{ groupId }] }),
    })),
    ...has,
  }
}
