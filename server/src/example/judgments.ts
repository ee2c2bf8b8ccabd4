import { DAY_MS } from '../platform/date-range.ts'
import { PEOPLE } from './places.ts'

/**
 * A decision a line: what was decided, by whom, in which document, about what, and why. Lines of one theme stand
 * together.
 */
const DECISIONS = `
reject | nadia | home-page | Claim in the headline: "The fastest bikes in town" | "Fastest" is a claim without a source. Name the test, or leave the word out.
reject | june | home-page | Claim on a banner: "Loved by 9 out of 10 riders" | The number has no source. Who was asked, and when?
reject | june | poster | Claim on the poster: "The safest bike you can buy" | "Safest" is a claim without a source. We cannot prove it.
reject | nadia | newsletter | Claim in the mail: "Our batteries last twice as long as others" | A claim without a source, and we do not compare ourselves with other brands.
reject | june | home-page | Claim in a teaser: "Save up to 80 % of your travel costs" | Up to 80 % of what? The number has no source.
reject | nadia | poster | Claim on the poster: "Number one in bike subscriptions" | "Number one" is a claim without a source. Leave it out.
reject | june | newsletter | Claim in the mail: "The best brakes of any bike" | "Best" needs a test that we can name. A claim without a source.
reject | nadia | home-page | Claim on a banner: "Most riders never need a repair" | How many are most? The claim has no source.
approve | june | home-page | Survey with its source: "8 of 10 subscribe again (own survey, 1,204 riders, May)" | The source is named, with who was asked and when.
approve | nadia | newsletter | Test with its source: "20 km further than our last battery (our test, page 3)" | The source is named, and we compare with our own bike only.
approve | nadia | home-page | Headline about the service: "We come to you and repair your bike" | No superlative, and we do just that.
reject | tomas | poster | White headline on a pale yellow sky | The contrast is too low: 1.9 to 1. Nobody reads this from across the street.
reject | tomas | checkout | Light grey hint below the card number | The contrast is too low: 2.8 to 1. Text needs at least 4.5 to 1.
reject | tomas | newsletter | Light green link on a white page | The contrast is too low, and only the colour says that it is a link. Underline it.
reject | tomas | home-page | White headline on a photo of snow | The contrast is too low where the snow is. Put a dark band behind the text.
reject | nadia | help-page | Light grey footnotes in 10 pixels | The contrast is too low and the type too small to read on a phone.
reject | tomas | checkout | Pale yellow warning on a white page | The contrast is too low. A warning that nobody sees warns nobody.
approve | tomas | poster | Dark blue headline on cream | The contrast is 9 to 1. Easy to read from far away.
approve | tomas | checkout | Dark grey hint below the delivery date | The contrast is 7 to 1, and the size is fine on a phone.
approve | tomas | home-page | Headline on a dark band across the picture | The band keeps the contrast whatever the picture shows.
approve | nadia | newsletter | Dark green links with a line below | Enough contrast, and the line says that it is a link.
reject | tomas | newsletter | Photo of a family on cargo bikes without alt text | The alt text is missing. A reader who cannot see the photo gets nothing.
reject | nadia | home-page | Picture of the price table without alt text | The alt text is missing, and the prices stand nowhere else.
reject | tomas | help-page | Three screenshots of the app without alt text | The alt text is missing in all three. Say in a sentence what each step shows.
reject | tomas | checkout | Photo of the delivery van without alt text | The alt text is missing. Say what the photo tells, or mark it as decoration.
reject | tomas | newsletter | The whole offer as one picture without alt text | The alt text is missing, and the offer cannot be read, copied or translated.
reject | nadia | home-page | Photo of the shop with the alt text "image1" | An alt text must say what the photo says. "image1" says nothing.
approve | tomas | newsletter | Photo described as "Two children ride in the box of a cargo bike" | The alt text says in a sentence what can be seen.
approve | tomas | home-page | Wave below the headline, marked as decoration | Decoration has an empty alt text, so that it is passed over.
approve | nadia | help-page | Screenshot described as "The button Pause is below your next bill" | The alt text tells what the step shows.
approve | tomas | poster | Red city bike, described as "City bike with a front basket" | The alt text is short and says what matters.
reject | nadia | checkout | Error message: "Oops! You typed a wrong card number, silly." | It blames the reader, and nobody laughs while paying. Say what to do.
reject | nadia | checkout | Error message: "Invalid input." | It does not say what happened or what to do. Which field, and what is right?
reject | nadia | checkout | Error message: "Error 4012: tokenization failure" | Nobody knows the word. It does not say what happened or what to do.
reject | june | checkout | Error message: "Something went wrong." | It does not say what happened or what to do. Was I charged or not?
reject | nadia | help-page | Error message: "You failed to cancel in time." | It blames the reader. Say until when one can cancel, and what happens now.
approve | nadia | checkout | After a failed payment: "Your bank did not answer. Nothing was charged. Please try again." | It says what happened, that no money is lost, and what to do.
approve | june | checkout | After a typing mistake: "The card number has 15 digits. Most have 16." | It says what happened and what to do, in a calm tone.
approve | nadia | help-page | After the last day: "Your subscription goes on for a month. You can cancel it now for July." | A calm tone, a date, and what follows.
reject | nadia | newsletter | Subject line: "LAST CHANCE!!! Only today!!!" | Shouting and pressure are not our tone. One calm sentence is enough.
reject | june | newsletter | Subject line: "Only fools still drive a car" | The tone insults readers who have a car, and most of our customers do.
reject | nadia | newsletter | Subject line: "You will regret this!!!" | Pressure is not our tone. Say what the mail is about.
reject | nadia | newsletter | Subject line: "RE: your order" for an offer | There was no order. A trick in the subject line costs us trust.
approve | nadia | newsletter | "Your bike is ready for spring" as the subject | Short, calm, and it says what the mail is about.
approve | june | newsletter | "Leave the car at home on one day a week" as the subject | A friendly tone that talks nobody down.
reject | june | home-page | Free helmet, if the first year is paid | "Free" is only what costs nothing now and later. Say "included with a year".
reject | june | newsletter | Free month, if the subscription goes on for a year | "Free" is only what costs nothing now and later. A year is not nothing.
reject | june | checkout | Price of 33 euros, plus tax in the last step | A price is the full price with taxes, from the first step on.
reject | june | poster | Price of 29 euros, plus a fee for delivery | A price is the full price. Whoever reads the poster does not see the fee.
reject | june | help-page | Cancelling needs a signed letter | Who can subscribe in two clicks can cancel in two clicks. The law says so too.
reject | june | poster | Lifetime guarantee in large type | We guarantee the frame for ten years. Say what the guarantee covers and how long.
reject | june | checkout | Box for the newsletter, ticked from the start | Consent must be given, not taken back. The box starts empty.
reject | june | checkout | Box for the terms, ticked from the start | Consent must be given, not taken back. The box starts empty.
approve | june | home-page | Helmet included with a yearly subscription | It promises no more than we do, and "free" is not needed.
approve | june | checkout | 39 euros with all taxes included, shown from the first step | The full price with taxes stands where the decision is made.
approve | june | help-page | Cancelling by a link on the first screen of the account | Cancelling takes two clicks, and the page says what happens to the deposit.
approve | june | poster | Ten years of guarantee on the frame | It says what the guarantee covers, and for how long.
approve | june | checkout | Empty box: "Send me news, about once a month" | The consent is free, and it says how often.
reject | nadia | checkout | Button called "Submit" | The button does not say what happens. Name it "Pay 39 euros".
reject | tomas | home-page | Button called "Click here" | The button does not say what happens. A verb and an object: "Book a test ride".
reject | nadia | help-page | Button called "OK" in the dialog that cancels a subscription | The button does not say what happens. Name it "Cancel my subscription".
reject | nadia | newsletter | Button called "Learn more" three times in one mail | Three buttons of one name. Each should say where it leads.
reject | tomas | checkout | Button called "Go!" in the last step | The button does not say that this costs money. Name it "Pay and order".
approve | nadia | checkout | "Pay 39 euros" as the last step | The button says what happens, with the sum.
approve | tomas | home-page | "Book a test ride" below the headline | A verb and an object. Everybody knows what comes next.
approve | nadia | help-page | "Keep my subscription" beside "Cancel it" | Both buttons say what happens. No "OK" to guess at.
approve | tomas | newsletter | "See the spring bikes" at the end of the mail | The button says where it leads.
reject | nadia | home-page | Text: "Our MTBF-optimized drivetrain leverages a mid-motor with 85 Nm" | Abbreviations and terms of the trade. Say in plain words what the rider feels.
reject | nadia | help-page | Text: "Deactivate recurring billing via the self-service portal" | Not in plain words: "Stop the payments in your account" says the same.
reject | june | newsletter | Text: "T&C apply, see GTC section 4.2b" | Two abbreviations that no reader knows. Say the condition in plain words.
approve | nadia | home-page | "The motor helps you up the hill, and you hardly hear it" | Plain words that say what the rider feels.
approve | nadia | help-page | "Stop the payments in your account, under Bills" | Plain words, and the way is named.
approve | june | newsletter | "The offer holds until 31 May, for new subscriptions" | The condition in plain words, in the sentence where it matters.
`

/** The steps between neighbouring lines in time: no divisor of their number, so that the themes mix. */
const STRIDE = 31
const DAYS = 150

/** The judgments of the example, spread over the last five months. */
export function judgmentsUntil(now: number) {
  const lines = DECISIONS.trim().split('\n')
  return lines.map((line, index) => {
    const [decision = '', userId = '', documentId = '', content = '', reasoning = ''] = line.split(' | ')
    const age = ((index * STRIDE) % lines.length) / lines.length
    return {
      recordId: `example-${index + 1}`,
      decision,
      actionUser: { userId, name: nameOf(userId) },
      documentId,
      content,
      reasoning,
      createdAt: now - (1 + Math.floor(age * DAYS)) * DAY_MS,
    }
  })
}

const nameOf = (userId: string) => PEOPLE.find((person) => person.userId === userId)?.name ?? userId
