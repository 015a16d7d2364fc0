"""`{{ sentence|said }}`: a sentence in the language of the page."""

from django import template

from games.words.translation import say

register = template.Library()

register.filter("said", say)
