"""Settings of a device: colours, sound, and notifications."""

import re

import pytest
from playwright.sync_api import expect

# Records every tone.
LISTEN = """
window.tones = [];
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  const tone = create.call(this);
  window.tones.push(tone.frequency);
  return tone;
};
"""

# Makes the tab hidden, and records vibrations and notifications.
ELSEWHERE = """
window.called = [];
Object.defineProperty(document, "hidden", { get: () => true });
navigator.vibrate = pattern => window.called.push("vibration");
window.Notification = class {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title, options) { window.called.push([title, options.body]); }
};
// Chromium has no push service in tests, and says so in the console.
PushManager.prototype.subscribe = async () => { throw new DOMException("No push service"); };
ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
  window.called.push([title, options.body]);
};
"""

GROUND = "getComputedStyle(document.body).backgroundColor"
TONES = "window.tones.map(tone => Math.round(tone.value))"


def open_settings(person):
    person.page.locator("#open-settings").click()
    return person.page.locator("#settings")


def switch_on(person, name):
    dialog = open_settings(person)
    dialog.locator(f"#{name}").check()
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_be_hidden()


def test_colours_follow_the_system_until_the_user_chooses(people):
    person = people(color_scheme="light").visit("/")
    light = person.page.evaluate(GROUND)
    person.page.emulate_media(color_scheme="dark")
    dark = person.page.evaluate(GROUND)
    assert light != dark

    open_settings(person).get_by_text("Light", exact=True).click()
    assert person.page.evaluate(GROUND) == light
    person.visit("/rules/chain-factor/")
    assert person.page.evaluate(GROUND) == light

    dialog = open_settings(person)
    expect(dialog.get_by_label("Light", exact=True)).to_be_checked()
    dialog.get_by_role("group", name="Colours").get_by_text("Auto", exact=True).click()
    assert person.page.evaluate(GROUND) == dark
    person.page.reload()
    assert person.page.evaluate(GROUND) == dark


def test_chosen_colours_are_part_of_the_page_and_need_no_script(people):
    person = people(java_script_enabled=False, color_scheme="light")
    person.visit("/")
    light = person.page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    person.context.add_cookies([{"name": "theme", "value": "dark", "url": person.server.http}])
    person.visit("/")
    dark = person.page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert light != dark


def test_an_invalid_theme_is_ignored(people):
    person = people()
    odd = {"name": "theme", "value": "x%22onload", "url": person.server.http}
    person.context.add_cookies([odd])
    person.visit("/")
    assert person.page.locator("html").get_attribute("data-theme") is None


def test_there_is_no_sound_until_it_is_switched_on(pair):
    one, two = pair()
    for person in (one, two):
        person.page.add_init_script(LISTEN)
        person.page.reload()
    one.has_turn()
    one.play(6)
    two.has_turn()
    assert two.page.evaluate(TONES) == []

    switch_on(two, "sound")
    two.page.evaluate("window.tones = []")
    two.play(3)
    two.until("window.tones.length === 1")
    assert one.page.evaluate(TONES) == []

    # The setting is remembered. The opponent's move and your turn have different sounds.
    two.page.reload()
    two.sees_moves(2)
    one.has_turn()
    one.play(9)
    two.until("window.tones.length === 3")
    assert len(set(two.page.evaluate(TONES))) == 3
    one.resign()
    two.until("window.tones.length > 6")


def test_every_number_has_its_own_note(people):
    person = people()
    person.page.add_init_script(LISTEN)
    person.create("chain-factor", device="same")
    switch_on(person, "sound")
    person.page.evaluate("window.tones = []")
    for count, move in enumerate((1, 2, 3, 4, 5), start=1):
        person.play(move)
        person.until(f"window.tones.length === {count}")
    assert len(set(person.page.evaluate(TONES))) == 5


def test_the_title_and_the_icon_say_whose_turn_it_is(pair):
    one, two = pair()
    icon = "document.querySelector('link[rel=icon]').href"
    mine, others = one.page.evaluate(icon), two.page.evaluate(icon)
    assert mine != others
    one.play(6)
    two.has_turn()
    expect(two.page).to_have_title(re.compile("^Your turn"))
    expect(one.page).not_to_have_title(re.compile("Your turn"))
    assert (one.page.evaluate(icon), two.page.evaluate(icon)) == (others, mine)


@pytest.mark.parametrize("notify", [False, True])
def test_a_player_in_another_tab_is_notified_if_they_allowed_it(notify, pair):
    one, two = pair()
    two.page.add_init_script(ELSEWHERE)
    two.page.reload()
    two.waits()
    if notify:
        switch_on(two, "notification")
    else:
        # Browsers don't let a page vibrate before the user has touched it.
        two.page.locator("#status").click()
    one.play(6)
    two.has_turn()
    two.until(f"window.called.length === {1 + notify}")
    called = two.page.evaluate("window.called")
    assert called[0] == "vibration"
    if notify:
        title, body = called[1]
        assert title == "Your turn"
        assert "placed 6" in body


def test_notifications_stay_off_if_the_browser_denies_them(people):
    person = people()
    person.page.add_init_script("Notification.requestPermission = async () => 'denied';")
    person.visit("/")
    dialog = open_settings(person)
    dialog.locator("#notification").click()
    expect(dialog.locator("#not-allowed")).to_be_visible()
    expect(dialog.locator("#notification")).not_to_be_checked()
